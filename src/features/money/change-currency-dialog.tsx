import { Radio, Stack, TextInput } from '@mantine/core'
import { currencyName } from '#domain/currencies.ts'
import { typedFigure } from '#domain/figures.ts'
import { newCurrencySchema } from '#domain/rate-form.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useChangeCurrency, useMoney } from './queries.ts'

type ChangeCurrencyDialogProps = { to: string; onClose: () => void }

/** Asks what becomes of amounts without a currency, and what the old one is worth in the new one. */
export function ChangeCurrencyDialog({ to, onClose }: ChangeCurrencyDialogProps) {
  const change = useChangeCurrency()
  const { currency: from, rates } = useMoney()
  const known = rates[to]
  const { form, dialog } = useRecordForm({
    schema: newCurrencySchema,
    initialValues: {
      keep: 'keep' as 'keep' | 'take',
      rate: known === undefined ? '' : typedFigure(Number((1 / known).toPrecision(8))),
    },
    async save({ keep, rate }) {
      await change({ currency: to, keep: keep === 'keep', rate })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Change currency to ${currencyName(to)}`}
      submitLabel="Change currency"
      {...dialog}
      // What was chosen before the dialog opened is not lost by closing it.
      onClose={onClose}
    >
      <Radio.Group label="Deals without their own currency" {...form.getInputProps('keep')}>
        <Stack gap={8} mt={8}>
          <Radio value="keep" label={`Stay in ${from}`} />
          <Radio value="take" label={`Change to ${to} (amounts stay the same)`} />
        </Stack>
      </Radio.Group>
      <TextInput
        label={`1 ${from} in ${to}`}
        description="Converts your other rates, including those of closed deals. Without it, totals skip other currencies until you enter their rates."
        name="rate"
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('rate')}
      />
    </FormDialog>
  )
}
