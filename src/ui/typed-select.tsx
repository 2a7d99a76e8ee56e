import { Select, type SelectProps } from '@mantine/core'
import { useTypedOption } from './use-typed-option.ts'

type Choice = { value: string; label: string }

type TypedSelectProps = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  data: Choice[]
  value: string | null
  onChoose: (choice: Choice) => void
  /** What it chooses, within a sentence. */
  noun: string
}

/**
 * A Select with a search where the list is long. Enter and leaving the field take the first match; a form is not saved over
 * text that matches nothing.
 */
export function TypedSelect({ data, value, onChoose, noun, ...props }: TypedSelectProps) {
  const isSearchable = data.length > 8
  const typing = useTypedOption({
    options: data,
    shown: data.find((choice) => choice.value === value)?.label ?? '',
    noun,
    onLeave: ([first]) => onChoose(first),
  })
  return (
    <Select
      {...props}
      {...(isSearchable ? typing.props : {})}
      data={data}
      value={value}
      searchable={isSearchable}
      selectFirstOptionOnChange
      nothingFoundMessage="Nothing found"
      error={typing.question ?? props.error}
      onChange={(_, choice) => {
        typing.forget()
        if (choice) onChoose(choice)
      }}
    />
  )
}
