import { Radio, Text } from '@mantine/core'
import classes from './emails.module.css'

export type Way = 'each' | 'bcc'

type WayToSendProps = {
  way: Way
  onChoose: (way: Way) => void
  /** Whether the message has merge fields, which a Bcc message cannot fill in. */
  hasFields: boolean
}

/** One message per contact, or one for all. */
export function WayToSend({ way, onChoose, hasFields }: WayToSendProps) {
  return (
    <div>
      <Radio.Group
        label="How to send"
        value={way}
        onChange={(value) => onChoose(value === 'bcc' ? 'bcc' : 'each')}
      >
        <div className={classes.ways}>
          <Radio
            value="each"
            label="Contact by contact"
            description="A message of its own for each, with its fields filled in."
          />
          <Radio
            value="bcc"
            label="One message with Bcc"
            description="The same text for all; nobody sees the others’ addresses."
          />
        </div>
      </Radio.Group>
      {way === 'bcc' && hasFields && (
        <Text size="sm" className={classes.problem ?? ''} role="alert">
          One message goes to everyone as it is, so it cannot have fields such as {'{{first_name}}'}
          . Take the fields out of your text, or send contact by contact.
        </Text>
      )}
    </div>
  )
}
