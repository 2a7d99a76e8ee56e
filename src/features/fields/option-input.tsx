import { MultiSelect, Select } from '@mantine/core'
import type { FocusEvent, ReactNode } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { useTypedOption } from '#ui/use-typed-option.ts'
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
  const isSeveral = kind === 'several choices'
  const typing = useTypedOption({
    options: data,
    shown: isSeveral ? '' : (data.find((option) => option.value === value)?.label ?? ''),
    onLeave(matches) {
      if (!isSeveral) {
        // A part of the name of what is chosen already changes nothing.
        const isChosen = matches.some((match) => match.value === value)
        if (!isChosen) common.onChange(matches[0].value)
        return
      }
      const next = matches.find((match) => !chosen.includes(match.value))
      if (next) common.onChange([...chosen, next.value])
    },
  })
  const isSearchable = data.length > 8
  const searchProps = {
    ...typing.props,
    onBlur(event: FocusEvent<HTMLInputElement>) {
      common.onBlur?.(event)
      typing.props.onBlur(event)
    },
    onChange(next: unknown) {
      typing.forget()
      common.onChange(next)
    },
    error: typing.question ?? common.error,
  }
  const shared = {
    ...common,
    ...(isSearchable ? searchProps : {}),
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
  if (isSeveral) {
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
