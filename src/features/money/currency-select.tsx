import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { currencies, currencyName } from '#domain/currencies.ts'
import { useTypedOption } from '#ui/use-typed-option.ts'

type CurrencySelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null
  onChange: (code: string | null) => void
}

/** Chooses a currency by its code or its name. */
export function CurrencySelect({ value, onChange, ...props }: CurrencySelectProps) {
  const data = currencies.map((code) => ({
    value: code,
    label: `${code} – ${currencyName(code)}`,
  }))
  const typing = useTypedOption({
    options: data,
    shown: data.find((option) => option.value === value)?.label ?? '',
    noun: 'currency',
    onLeave(matches, typed) {
      const [meant] = codesFirst(matches, typed)
      if (meant && meant.value !== value) onChange(meant.value)
    },
  })
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      limit={100}
      // A hundred options that nobody may ever open.
      comboboxProps={{ keepMounted: false }}
      nothingFoundMessage="No such currency"
      {...props}
      {...typing.props}
      data={data}
      filter={filter}
      value={value}
      onChange={(code) => {
        typing.forget()
        onChange(code)
      }}
      error={typing.question ?? props.error}
    />
  )
}

/** EUR is the euro before it is the WIR euro. */
function codesFirst<Item extends { value: string }>(items: Item[], typed: string): Item[] {
  const begins = ({ value }: Item) => value.startsWith(typed.trim().toUpperCase())
  return [...items.filter(begins), ...items.filter((item) => !begins(item))]
}

const filter: OptionsFilter = ({ options, search }) => {
  const items = options.filter((option): option is ComboboxItem => 'value' in option)
  const typed = search.trim().toLowerCase()
  return codesFirst(
    items.filter(({ label }) => label.toLowerCase().includes(typed)),
    typed,
  )
}
