import { counted } from '#domain/counted.ts'
import { lostReasonSchema } from '#domain/lost-reasons.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { type Closing, useCloseDeals } from './closing/queries.ts'
import { LostReasonInput } from './lost-reason-input.tsx'
import type { ChosenDeals } from './queries.ts'

type LostDialogProps = {
  chosen: ChosenDeals
  /** The name of the deal, where it is one that is known. */
  about?: string
  /** The stage that was chosen; without one, each deal stays in its pipeline. */
  stage?: Closing['stage']
  onClose: () => void
  /** Called when it is written, after `onClose`. */
  onLost?: () => void
}

/** 'Mark as lost': asks for the reason, which need not be given. */
export function LostDialog({ chosen, about, stage, onClose, onLost }: LostDialogProps) {
  const lose = useCloseDeals('lost')
  const { form, dialog } = useRecordForm({
    schema: lostReasonSchema,
    initialValues: { reason: '' },
    async save({ reason }) {
      await lose({ ...chosen, reason, stage })
      onClose()
      onLost?.()
    },
  })
  return (
    <FormDialog
      title={chosen.count === 1 ? 'Mark as lost' : `Mark ${counted(chosen.count, 'deal')} as lost`}
      about={about}
      submitLabel="Mark as lost"
      {...dialog}
      onClose={onClose}
      size={440}
    >
      <LostReasonInput
        label="Reason"
        name="reason"
        data-autofocus
        {...form.getInputProps('reason')}
        value={form.values.reason}
        onReason={(reason) => form.setFieldValue('reason', reason)}
      />
    </FormDialog>
  )
}
