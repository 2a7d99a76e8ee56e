import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { type Find, useTypedOption } from './use-typed-option.ts'

type Choice = { value: string; label: string }

type TypedSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'filter'> & {
  data: Choice[]
  value: string | null
  onChoose: (choice: Choice) => void
  /** What it chooses, within a sentence. */
  noun: string
  find?: Find
}

/**
 * A Select with a search where the list is long. Enter and leaving the field take the first match; a form is not saved over
 * text that matches nothing.
 */
export function TypedSelect({ data, value, onChoose, noun, find, ...props }: TypedSelectProps) {
  const isSearchable = data.length > 8
  const typing = useTypedOption({
    options: data,
    shown: data.find((choice) => choice.value === value)?.label ?? '',
    noun,
    find,
    onLeave: ([first]) => onChoose(first),
  })
  return (
    <Select
      nothingFoundMessage="Nothing found"
      {...props}
      {...(isSearchable ? typing.props : {})}
      {...(find ? { filter: filterBy(find) } : {})}
      data={data}
      value={value}
      searchable={isSearchable}
      selectFirstOptionOnChange
      error={typing.question ?? props.error}
      onChange={(_, choice) => {
        typing.forget()
        if (choice) onChoose(choice)
      }}
    />
  )
}

const filterBy =
  (find: Find): OptionsFilter =>
  ({ options, search }) =>
    find(
      options.filter((option): option is ComboboxItem => 'value' in option),
      search,
    )
