import { Group, MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { typedMoney, typedNumber } from '#domain/amount.ts'
import { type Field, labelOf } from '#domain/fields/field.ts'
import {
  answersOf,
  conditionValues,
  operationsOf,
  readCondition,
  withCondition,
} from '#domain/fields/own-filters.ts'
import { DayField } from '#ui/day-field.tsx'
import type { OwnFiltersProps } from './filter-chips.ts'
import { OptionBadges } from './option-badges.tsx'

const inPopover = { withinPortal: false, shadow: 'md' } as const

/** Filters by the user's own fields: those in use, and a way to another one. */
export function OwnFilters({ own, conditions, onChange }: OwnFiltersProps) {
  const [opened, setOpened] = useState<string[]>([])
  const used = conditions.map((text) => readCondition(text)?.id)
  const fields = Object.entries(own).map(([name, field]) => ({ id: idOf(name), field }))
  const shown = fields.filter(({ id }) => used.includes(id) || opened.includes(id))
  const others = fields.filter((each) => !shown.includes(each))
  return (
    <>
      {shown.map(({ id, field }) => (
        <OwnFilter key={id} id={id} field={field} conditions={conditions} onChange={onChange} />
      ))}
      {others.length > 0 && (
        <Select
          label="Custom fields"
          placeholder="Filter by..."
          data={others.map(({ id, field }) => ({ value: id, label: labelOf(field, 'column') }))}
          value={null}
          searchable={others.length > 8}
          selectFirstOptionOnChange
          nothingFoundMessage="Nothing found"
          onChange={(id) => id && setOpened([...opened, id])}
          comboboxProps={inPopover}
        />
      )}
    </>
  )
}

function idOf(name: string): string {
  return name.slice(name.indexOf('.') + 1)
}

type OwnFilterProps = {
  id: string
  field: Field
  conditions: string[]
  onChange: (conditions: string[]) => void
}

function OwnFilter({ id, field, conditions, onChange }: OwnFilterProps) {
  const label = labelOf(field, 'column')
  const valuesOf = (operation: 'is' | 'contains' | 'from' | 'to' | 'filled') =>
    conditionValues(conditions, { id, operation })
  const set = (operation: 'is' | 'contains' | 'from' | 'to' | 'filled') => (values: string[]) =>
    onChange(withCondition(conditions, { id, operation }, values))
  const isRange = operationsOf(field).includes('from')
  return (
    <>
      {operationsOf(field).includes('is') && (
        <MultiSelect
          label={label}
          placeholder={valuesOf('is').length > 0 ? '' : 'Any'}
          data={answersOf(field).map((value) => ({ value, label: nameOf(field, value) }))}
          value={valuesOf('is')}
          onChange={set('is')}
          hidePickedOptions
          {...(field.choiceColors
            ? { renderOption: ({ option }) => <OptionBadges field={field} value={option.value} /> }
            : {})}
          comboboxProps={inPopover}
        />
      )}
      {operationsOf(field).includes('contains') && (
        <TypedFilter
          label={`${label} contains`}
          value={valuesOf('contains')[0] ?? ''}
          onChange={(text) => set('contains')(text ? [text] : [])}
        />
      )}
      {isRange && (
        <Group grow gap="sm" align="flex-start">
          {(['from', 'to'] as const).map((end) =>
            field.kind === 'day' ? (
              <DayField
                key={end}
                label={`${label} ${end}`}
                value={valuesOf(end)[0]}
                onChange={(day) => set(end)(day ? [day] : [])}
              />
            ) : (
              <TypedFilter
                key={end}
                label={`${label} ${end}`}
                amount={field.kind === 'money' ? typedMoney : typedNumber}
                value={valuesOf(end)[0] ?? ''}
                onChange={(amount) => set(end)(amount ? [amount] : [])}
              />
            ),
          )}
        </Group>
      )}
      <Select
        aria-label={`${label}: has a value`}
        placeholder="With or without a value"
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${label}: has a value` }}
        data={[
          { value: 'yes', label: 'Has a value' },
          { value: 'no', label: 'No value' },
        ]}
        value={valuesOf('filled')[0] ?? null}
        onChange={(filled) => set('filled')(filled ? [filled] : [])}
        comboboxProps={inPopover}
        mt={-8}
      />
    </>
  )
}

function nameOf({ choiceNames }: Field, value: string): string {
  return choiceNames?.[value] ?? (value === 'yes' ? 'Yes' : 'No')
}

type TypedFilterProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Reads what is typed for an amount. */
  amount?: (text: string) => number | null
}

/** Applies what is typed after a pause, or when the popover closes. */
function TypedFilter({ label, value, onChange, amount }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  const apply = useDebouncedCallback(onChange, { delay: 300, flushOnUnmount: true })
  // Only a value from elsewhere, such as a chip that was removed, replaces the typed text.
  useEffect(() => {
    setApplied((before) => {
      if (before !== value) setTyped(value)
      return value
    })
  }, [value])
  const read = (text: string) => (amount ? amountIn(text, amount) : text.trim().slice(0, 200))
  return (
    <TextInput
      label={label}
      autoComplete="off"
      {...(amount ? { inputMode: 'decimal' } : { dir: 'auto' })}
      value={typed}
      error={read(typed) === null && 'Type a number'}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        const next = read(currentTarget.value)
        if (next === null || next === applied) return
        setApplied(next)
        apply(next)
      }}
    />
  )
}

/** An amount as the address has it; null when it is none. */
function amountIn(text: string, read: (text: string) => number | null): string | null {
  if (text.trim() === '') return ''
  const amount = read(text)
  return amount === null || Math.abs(amount) > 1e13 ? null : String(Number(amount.toFixed(6)))
}
