import { TextInput } from '@mantine/core'
import { currencyName } from '#domain/currencies.ts'
import { typedFigure } from '#domain/figures.ts'
import { rateSchema } from '#domain/rate-form.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useMoney, useSetRate } from './queries.ts'

type RateDialogProps = {
  currency: string
  /** For the rate of one closed deal. */
  ofDeal?: { rate: number; onCorrect: (rate: number) => Promise<unknown> }
  onClose: () => void
}

/** Asks what one unit of a currency is worth. */
export function RateDialog({ currency, ofDeal, onClose }: RateDialogProps) {
  const setRate = useSetRate()
  const { currency: own, rates } = useMoney()
  const known = ofDeal ? ofDeal.rate : rates[currency]
  const { form, dialog } = useRecordForm({
    schema: rateSchema,
    initialValues: { rate: known === undefined ? '' : typedFigure(known) },
    async save({ rate }) {
      await (ofDeal ? ofDeal.onCorrect(rate) : setRate({ currency, rate }))
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Rate of ${currencyName(currency)}`}
      submitLabel="Save rate"
      size={400}
      {...dialog}
      onClose={onClose}
    >
      <TextInput
        label={`1 ${currency} in ${own}`}
        description={
          ofDeal
            ? 'For this deal alone.'
            : 'Used for open deals. Closed deals keep the rate of their closing day.'
        }
        name="rate"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('rate')}
      />
    </FormDialog>
  )
}
