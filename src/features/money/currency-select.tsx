import { Select, type SelectProps } from '@mantine/core'
import { currencies, currencyName } from '#domain/currencies.ts'

/** Chooses a currency by its code or its name. */
export function CurrencySelect(props: Omit<SelectProps, 'data'>) {
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      limit={100}
      nothingFoundMessage="No such currency"
      data={currencies.map((code) => ({ value: code, label: `${code} – ${currencyName(code)}` }))}
      {...props}
    />
  )
}
