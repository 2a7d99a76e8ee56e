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
  // Null while nobody types: then the name of what is chosen shows, however late that is known.
  const [typed, setTyped] = useState<string | null>(null)
  const [picked, setPicked] = useState<Choice | null>(null)
  // Where only its id is kept, the name of what was picked here is known before it is told from outside.
  const label = chosen && (chosen.label || (picked?.id === chosen.id ? picked.label : ''))
  const text = typed ?? label ?? ''
  // The name of what is chosen is not a search.
  const searched = text === label ? '' : text.trim()
  const [search] = useDebouncedValue(searched, 150)
  const { choices, isLoading } = useChoices(search, within)
  const known = new Map([...fixed, ...choices].map((choice) => [choice.id, choice]))
  if (chosen) known.set(chosen.id, { id: chosen.id, label: label ?? '' })
  const data = [...known.values()].map((choice) => ({ value: choice.id, label: choice.label }))
  if (onCreate) {
    const create = searched ? `${createLabel} “${searched}”` : `${createLabel}…`
    data.push({ value: createValue, label: create })
  }
  function choose(id: string | null): void {
    if (id === createValue) {
      onCreate?.(searched)
      return
    }
    const choice = id === null ? null : (known.get(id) ?? null)
    setPicked(choice)
    onChoose(choice)
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
      searchValue={text}
      onInput={(event) => {
        setTyped(event.currentTarget.value)
        // The cross is for the mouse only.
        if (event.currentTarget.value === '' && chosen) onChoose(null)
      }}
      onChange={(id) => {
        setTyped(null)
        choose(id)
      }}
      // Told also of the one that is chosen already.
      onOptionSubmit={() => setTyped(null)}
      onBlur={() => setTyped(null)}
      nothingFoundMessage={isLoading ? 'Searching...' : 'Nothing found'}
      {...input}
    />
  )
}
