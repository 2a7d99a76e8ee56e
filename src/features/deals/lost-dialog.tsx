import { Button, Textarea } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import { lostReasonSchema } from '#domain/deal.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import classes from './lost-reasons.module.css'
import { useLostReasons } from './lost-reasons.tsx'
import { type ChosenDeals, useCloseDeals } from './queries.ts'

type LostDialogProps = { chosen: ChosenDeals; onClose: () => void }

/** 'Mark as lost': asks for the reason, which need not be given. */
export function LostDialog({ chosen, onClose }: LostDialogProps) {
  const lose = useCloseDeals('lost')
  const reasons = useLostReasons()
  const { form, dialog } = useRecordForm({
    schema: lostReasonSchema,
    initialValues: { reason: '' },
    async save({ reason }) {
      await lose({ ...chosen, reason })
      onClose()
    },
  })
  return (
    <FormDialog
      title={chosen.count === 1 ? 'Mark as lost' : `Mark ${counted(chosen.count, 'deal')} as lost`}
      submitLabel="Mark as lost"
      {...dialog}
      onClose={onClose}
      size={440}
    >
      {reasons.length > 0 && (
        <div className={classes.suggestions}>
          {reasons.map((reason) => {
            const isChosen = form.values.reason === reason
            return (
              <Button
                key={reason}
                size="compact-sm"
                variant={isChosen ? 'light' : 'default'}
                aria-pressed={isChosen}
                leftSection={isChosen ? <IconCheck size={14} stroke={2} aria-hidden /> : null}
                onClick={() =>
                  form.setFieldValue('reason', (typed) => withReason(typed, reason, reasons))
                }
              >
                {reason}
              </Button>
            )
          })}
        </div>
      )}
      <Textarea
        label="Reason"
        description="Optional. Shows up in your reports."
        name="reason"
        dir="auto"
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  )
}

/** What is typed stays: a suggestion comes before it, in the place of another suggestion. */
function withReason(typed: string, reason: string, reasons: string[]): string {
  if (typed === reason) return ''
  const [first = '', ...rest] = typed.split('\n')
  const own = reasons.includes(first) ? rest : [first, ...rest]
  return [reason, ...own].join('\n').trim()
}
