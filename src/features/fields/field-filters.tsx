import { Group, MultiSelect, NumberInput, Select } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { largestAmount } from '#domain/fields/checks.ts'
import { valueAt } from '#domain/fields/field.ts'
import { type FilterField, filterField, isAmount } from '#domain/fields/filters.ts'
import { grouping } from '#domain/figures.ts'
import { hasDecimalComma } from '#domain/habits.ts'
import { currencySign } from '#domain/money.ts'
import { TagFilter } from '#features/tags/index.ts'
import { DayField } from '#ui/day-field.tsx'
import { changeOf, chosenIn, type FilterProps } from './filter-chips.ts'

const inPopover = { withinPortal: false, shadow: 'md' } as const

type FieldFiltersProps<State extends object> = FilterProps<State> & {
  /** What stands in the place of a filter that is chosen in a way of its own, such as one record. */
  special?: Record<string, ReactNode>
  /** The existing values of a text field without fixed choices, such as all industries. */
  texts?: Record<string, string[] | undefined>
}

/** The inputs of a list's filter. */
export function FieldFilters<State extends object>(props: FieldFiltersProps<State>) {
  const { fields, filters, state, onChange, special = {}, texts = {} } = props
  const all = filters.map((key) => filterField(fields, key))
  const isPresence = ({ by }: FilterField) => by === 'presence'
  return all.map((filter, place) => {
    const { key, by } = filter
    if (key in special) return <Fragment key={key}>{special[key]}</Fragment>
    const input = { state, onChange }
    if (by === 'range') return <RangeInputs key={key} filter={filter} {...input} />
    if (filter.field.kind === 'tags') {
      return (
        <TagFilter
          key={key}
          label={filter.label}
          value={chosenIn(filter, state)}
          onChange={(tags) => onChange(changeOf(filter.names[0], tags))}
        />
      )
    }
    if (by === 'any') {
      return <AnyInput key={key} filter={filter} {...input} texts={texts[key] ?? []} />
    }
    // All of them in one line, where the first one stands.
    if (all.findIndex(isPresence) !== place) return null
    return (
      <Group key={key} grow gap="sm">
        {all.filter(isPresence).map((each) => (
          <PresenceInput key={each.key} filter={each} {...input} />
        ))}
      </Group>
    )
  })
}

type InputProps<State extends object> = {
  filter: FilterField
  state: State
  onChange: (changes: Partial<State>) => void
}

function AnyInput<State extends object>(props: InputProps<State> & { texts: string[] }) {
  const { filter, state, onChange, texts } = props
  const { field, label, names } = filter
  const value = chosenIn(filter, state)
  // What the address asks for stays choosable, whether or not there is any left.
  const choices = field.choices ?? [...new Set([...texts, ...value])]
  const searchable = {
    searchable: true,
    selectFirstOptionOnChange: true,
    maxValues: 50,
    nothingFoundMessage: 'Nothing found',
  }
  return (
    <MultiSelect
      label={label}
      placeholder={value.length > 0 ? '' : 'Any'}
      data={choices.map((choice) => ({
        value: choice,
        label: field.choiceNames?.[choice] ?? choice,
      }))}
      value={value}
      onChange={(next) =>
        onChange(changeOf(names[0], field.choices ? inOrder(field.choices, next) : next))
      }
      hidePickedOptions
      comboboxProps={inPopover}
      {...(field.choices ? {} : searchable)}
    />
  )
}

function inOrder(choices: readonly string[], chosen: string[]): string[] {
  return choices.filter((choice) => chosen.includes(choice))
}

function PresenceInput<State extends object>({ filter, state, onChange }: InputProps<State>) {
  const { label, names } = filter
  const value = valueAt(state, names[0] ?? '')
  return (
    <Select
      label={label}
      placeholder="Any"
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      data={[
        { value: 'yes', label: `Has ${label.toLowerCase()}` },
        { value: 'no', label: `No ${label.toLowerCase()}` },
      ]}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => onChange(changeOf(names[0], next ?? undefined))}
      comboboxProps={inPopover}
    />
  )
}

function RangeInputs<State extends object>({ filter, state, onChange }: InputProps<State>) {
  const { field, label, names } = filter
  const [from, to] = names.map((name) => valueAt(state, name))
  const isOfDays = typeof from === 'string' && typeof to === 'string'
  const ends = names.map((name, place) => ({
    name,
    label: `${label} ${place === 0 ? 'from' : 'to'}`,
    value: place === 0 ? from : to,
    onChange: (next: unknown) => onChange(changeOf(name, next)),
  }))
  return (
    <Group grow gap="sm" align="flex-start">
      {ends.map(({ name, value, ...end }, place) =>
        isAmount(field) ? (
          <Amount
            key={name}
            isMoney={field.kind === 'money'}
            value={typeof value === 'number' ? value : undefined}
            {...end}
          />
        ) : (
          <DayField
            key={name}
            value={typeof value === 'string' ? value : undefined}
            error={place === 0 && isOfDays && from > to && 'Later than the end'}
            {...end}
          />
        ),
      )}
    </Group>
  )
}

type AmountProps = {
  label: string
  isMoney: boolean
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function Amount({ label, isMoney, value, onChange }: AmountProps) {
  const { sign, style } = grouping()
  return (
    <NumberInput
      label={label}
      leftSection={isMoney && currencySign()}
      leftSectionWidth={isMoney && currencySign().length > 2 ? 52 : 36}
      min={0}
      max={largestAmount}
      clampBehavior="strict"
      decimalScale={2}
      thousandSeparator={sign}
      thousandsGroupStyle={style}
      decimalSeparator={hasDecimalComma() ? ',' : '.'}
      hideControls
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? undefined : Number(next))}
    />
  )
}
