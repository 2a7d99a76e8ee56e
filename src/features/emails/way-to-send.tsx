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
            label="One email per contact"
            description="Personalized with each contact’s details."
          />
          <Radio
            value="bcc"
            label="One email with Bcc"
            description="Same text for everyone. Recipients don’t see each other."
          />
        </div>
      </Radio.Group>
      {way === 'bcc' && hasFields && (
        <Text size="sm" className={classes.problem ?? ''} role="alert">
          A Bcc email is the same for everyone, so it can’t use fields such as {'{{first_name}}'}.
          Remove the fields or send one email per contact.
        </Text>
      )}
    </div>
  )
}
