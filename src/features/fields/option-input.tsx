import { MultiSelect, Select } from '@mantine/core'
import type { FocusEvent, ReactNode } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { OptionBadges } from './option-badges.tsx'

type OptionInputProps = {
  field: Field
  label: string
  name: string
  value: unknown
  onChange: (value: unknown) => void
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  error?: ReactNode
  isInPopover?: boolean
}

/** Chooses options of one of the user's own fields, or none; or yes or no. */
export function OptionInput({ field, value, isInPopover = false, ...common }: OptionInputProps) {
  const { kind, choices = [], choiceNames = {} } = field
  const isAnswer = kind === 'yes/no'
  const data = isAnswer
    ? [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ]
    : choices.map((id) => ({ value: id, label: choiceNames[id] ?? id }))
  const chosen = Array.isArray(value) ? value.map(String) : []
  /** Who leaves with a half-typed name means the option that Enter would choose. */
  function onBlur(event: FocusEvent<HTMLInputElement>): void {
    common.onBlur?.(event)
    const typed = event.currentTarget.value.trim().toLowerCase()
    const matches = data.filter(({ label }) => label.toLowerCase().includes(typed))
    const [meant] = matches
    const isChosen = matches.some((match) => match.value === value)
    if (typed === '' || !meant || isChosen || chosen.includes(meant.value)) return
    common.onChange(kind === 'several choices' ? [...chosen, meant.value] : meant.value)
  }
  const isSearchable = data.length > 8
  const shared = {
    ...common,
    ...(isSearchable ? { onBlur } : {}),
    data,
    clearable: true,
    clearButtonProps: { 'aria-label': `Clear ${common.label}` },
    searchable: isSearchable,
    selectFirstOptionOnChange: true,
    nothingFoundMessage: 'Nothing found',
    ...(isAnswer
      ? {}
      : {
          renderOption: ({ option }: { option: { value: string } }) => (
            <OptionBadges field={field} value={option.value} />
          ),
        }),
    ...(isInPopover ? { comboboxProps: { withinPortal: false, shadow: 'md' } } : {}),
  }
  if (kind === 'several choices') {
    return (
      <MultiSelect
        {...shared}
        placeholder={chosen.length > 0 ? '' : 'None'}
        value={chosen}
        hidePickedOptions
      />
    )
  }
  return <Select {...shared} placeholder="None" value={typeof value === 'string' ? value : null} />
}
