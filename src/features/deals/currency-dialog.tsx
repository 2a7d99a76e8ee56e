import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { dealFields } from '#domain/fields/deals.ts'
import { dealSchema } from '#domain/fields/record-forms.ts'
import { DealCurrency } from '#features/money/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

const schema = dealSchema().pick({ currency: true })

type CurrencyDialogProps = {
  count: number
  /** Rejects after a failure, which has been reported by then. */
  onSet: (currency: string | null) => Promise<unknown>
  onClose: () => void
}

/** Asks for the currency of many deals; their amounts stay as they are. */
export function CurrencyDialog({ count, onSet, onClose }: CurrencyDialogProps) {
  const [isCovered, setIsCovered] = useState(false)
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { currency: '' },
    async save({ currency }) {
      await onSet(currency)
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Set currency for ${counted(count, 'deal')}`}
      submitLabel="Set currency"
      {...dialog}
      onClose={onClose}
      isCovered={isCovered}
      size={400}
    >
      <DealCurrency
        label={dealFields.currency.label}
        name="currency"
        value={form.values.currency}
        onChange={(code) => form.setFieldValue('currency', code)}
        error={form.errors.currency}
        onCovered={setIsCovered}
      />
    </FormDialog>
  )
}
