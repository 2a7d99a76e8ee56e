import { z } from 'zod'
import { nameField } from './name.ts'

const screens = ['contacts', 'companies', 'deals', 'tasks'] as const

/** A list whose views can be saved. */
export type ViewScreen = (typeof screens)[number]

export const savedViewSchema = z.object({
  screen: z.enum(screens),
  name: nameField,
  query: z.string().max(8000, 'This view has more than can be saved.'),
})

/** Normalises an address query: `?b=2&a=1` and `a=1&b=2` are the same view. */
export function normalisedQuery(query: string): string {
  const params = new URLSearchParams(query)
  params.sort()
  return params.toString()
}
