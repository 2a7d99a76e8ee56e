import { shownDate } from '#domain/dates.ts'
import { type Fields, isField, valueAt } from '#domain/fields/field.ts'
import { type FilterField, filterField, isAmount } from '#domain/fields/filters.ts'
import { shownValue as inWords } from '#domain/fields/kinds.ts'
import { ownKey } from '#domain/fields/own.ts'
import { conditionWords, readCondition } from '#domain/fields/own-filters.ts'
import type { FilterChip } from '#ui/list-toolbar.tsx'

export type FilterProps<State extends object> = {
  fields: Fields
  /** What can be filtered by, in this order. */
  filters: readonly string[]
  /** As the address tells it. */
  state: State
  onChange: (changes: Partial<State>) => void
}

export type OwnFiltersProps = {
  own: Fields
  /** The conditions of the address. */
  conditions: string[]
  onChange: (conditions: string[]) => void
}

/** Which property of the state a filter changes is known at run time only. */
export function changeOf<State extends object>(
  name: string | undefined,
  value: unknown,
): Partial<State> {
  return { [name ?? '']: value } as Partial<State>
}

export function chosenIn({ names }: FilterField, state: object): string[] {
  const value = valueAt(state, names[0] ?? '')
  return Array.isArray(value) ? value : []
}

type FilterChipsOptions<State extends object> = FilterProps<State> & {
  /** What the records in the address are called, by the keys of their fields, as soon as it is known. */
  recordNames?: Record<string, string | undefined>
}

/** What is filtered by, each with its way back. */
export function fieldChips<State extends object>({
  fields,
  filters,
  state,
  onChange,
  recordNames = {},
}: FilterChipsOptions<State>): FilterChip[] {
  return filters.flatMap((key) => {
    const filter = filterField(fields, key)
    const { by, field, label, names } = filter
    if (by === 'any') {
      const chosen = chosenIn(filter, state)
      return chosen.map((each) => ({
        key: `${names[0]} ${each}`,
        label,
        value: field.choiceNames?.[each] ?? each,
        onRemove: () =>
          onChange(
            changeOf(
              names[0],
              chosen.filter((other) => other !== each),
            ),
          ),
      }))
    }
    return names.flatMap((name, place) => {
      const value = valueAt(state, name)
      if (value === undefined) return []
      const end = place === 0 ? 'from' : 'to'
      return [
        {
          key: name,
          label: by === 'range' ? `${label} ${end}` : label,
          value: by === 'one' ? (recordNames[key] ?? '…') : shownValue(filter, value),
          onRemove: () => onChange(changeOf(name, undefined)),
        },
      ]
    })
  })
}

function shownValue({ by, field }: FilterField, value: unknown): string {
  if (by !== 'range') return String(value)
  // A range of moments is one of days.
  if (!isAmount(field)) return shownDate(String(value))
  return inWords(field, value)
}

/** A chip for each condition, which removes it. Conditions on fields that are not known have none. */
export function ownChips({ own, conditions, onChange }: OwnFiltersProps): FilterChip[] {
  return conditions.flatMap((text) => {
    const condition = readCondition(text)
    if (!condition || !isField(own, ownKey(condition.id))) return []
    return {
      key: text,
      ...conditionWords(own, condition),
      onRemove: () => onChange(conditions.filter((other) => other !== text)),
    }
  })
}
