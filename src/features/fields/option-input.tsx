import { MultiSelect, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { OptionBadges } from './option-badges.tsx'

type OptionInputProps = {
  field: Field
  label: string
  name: string
  value: unknown
  onChange: (value: unknown) => void
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
  const shared = {
    ...common,
    data,
    clearable: true,
    clearButtonProps: { 'aria-label': `Clear ${common.label}` },
    searchable: data.length > 8,
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
    const chosen = Array.isArray(value) ? value.map(String) : []
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
