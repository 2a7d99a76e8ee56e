import { z } from 'zod/mini'
import type { ListView } from '#lib/list-source.ts'

/** By what the history can be filtered, and how that is called. */
export const actions = [
  { value: 'added', label: 'Added' },
  { value: 'changed', label: 'Changed' },
  { value: 'deleted', label: 'Deleted' },
  { value: 'imported', label: 'Imported' },
  { value: 'undone', label: 'Undone' },
] as const
type Action = (typeof actions)[number]['value']

const day = z.optional(z.iso.date())

/** What the address of the history may hold. */
export const historyUrlSchema = z.object({
  action: z.optional(z.enum(actions.map(({ value }) => value))),
  from: day,
  to: day,
})

export type HistoryUrlState = z.output<typeof historyUrlSchema>

export type HistoryView = ListView<{
  action?: Action
  from?: string
  to?: string
  time_zone?: string
}>

/** The view of the list that the address describes. */
export function historyView({ action, from, to }: HistoryUrlState, timeZone: string): HistoryView {
  const isDated = from !== undefined || to !== undefined
  return {
    filter: {
      ...(action ? { action } : {}),
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
      ...(isDated ? { time_zone: timeZone } : {}),
    },
    sort: 'at',
    descending: true,
  }
}
