import { Button, Textarea, type TextareaProps } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { withReason } from '#domain/lost-reasons.ts'
import classes from './lost-reasons.module.css'
import { useLostReasons } from './lost-reasons.tsx'

type LostReasonInputProps = TextareaProps & {
  value: string
  /** A suggestion was pressed: the text with it. */
  onReason: (reason: string) => void
}

/** Why a deal is lost: the reasons that the user keeps as buttons, and any other text. */
export function LostReasonInput({ value, onReason, ...field }: LostReasonInputProps) {
  const reasons = useLostReasons()
  return (
    <>
      {reasons.length > 0 && (
        <div className={classes.suggestions}>
          {reasons.map((reason) => {
            const isChosen = value === reason
            return (
              <Button
                key={reason}
                size="compact-sm"
                variant={isChosen ? 'light' : 'default'}
                aria-pressed={isChosen}
                leftSection={isChosen ? <IconCheck size={14} stroke={2} aria-hidden /> : null}
                onClick={() => onReason(withReason(value, reason, reasons))}
              >
                {reason}
              </Button>
            )
          })}
        </div>
      )}
      <Textarea
        description="Optional. Shown in reports."
        dir="auto"
        autosize
        minRows={2}
        maxRows={8}
        {...field}
        value={value}
      />
    </>
  )
}
