import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

/** A record as a choice. */
type Choice = { id: string; label: string }

type RecordSelectProps = {
  label: string
  /** What is chosen now; it shows whether or not the search finds it. */
  chosen: Choice | null
  onChoose: (choice: Choice | null) => void
  /** The choices that a search finds, as a hook of the feature that knows them. */
  useChoices: (search: string, within?: string) => { choices: Choice[]; isLoading: boolean }
  /** The record that the choices belong to, where they do. */
  within?: string | undefined
  /** Offers to make a new one of what was typed. */
  onCreate?: (typed: string) => void
  createLabel?: string
  /** Choices that are always there. */
  fixed?: Choice[]
} & Pick<SelectProps, 'name' | 'error' | 'placeholder' | 'description' | 'comboboxProps'>

const createValue = 'create'

/** One of many records, found by typing. */
export function RecordSelect({
  chosen,
  onChoose,
  useChoices,
  within,
  onCreate,
  createLabel = 'Create',
  fixed = [],
  ...input
}: RecordSelectProps) {
  const [typed, setTyped] = useState(chosen?.label ?? '')
  // The name of what is chosen is not a search.
  const [search] = useDebouncedValue(typed === chosen?.label ? '' : typed.trim(), 150)
  const { choices, isLoading } = useChoices(search, within)
  const known = new Map([...fixed, ...choices].map((choice) => [choice.id, choice]))
  if (chosen) known.set(chosen.id, chosen)
  const isNew = typed.trim() !== '' && typed !== chosen?.label
  const data = [...known.values()].map(({ id, label }) => ({ value: id, label }))
  if (onCreate) {
    const label = isNew ? `${createLabel} “${typed.trim()}”` : `${createLabel}…`
    data.push({ value: createValue, label })
  }
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${input.label}` }}
      allowDeselect={false}
      autoComplete="off"
      dir="auto"
      data={data}
      // Found by the backend, which knows of accents and of those that are not here.
      filter={({ options }) => options}
      value={chosen?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onInput={(event) => {
        // The cross is for the mouse only.
        if (event.currentTarget.value === '' && chosen) onChoose(null)
      }}
      onChange={(id) => {
        if (id === createValue) onCreate?.(isNew ? typed.trim() : '')
        else onChoose(id === null ? null : (known.get(id) ?? null))
      }}
      nothingFoundMessage={isLoading ? 'Searching...' : 'Nothing found'}
      {...input}
    />
  )
}
