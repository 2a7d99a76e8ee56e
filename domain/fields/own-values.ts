import { z } from 'zod/mini'

/** What a field of the user's own holds. */
const ownValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** The values of a record's own fields, by the ids of the fields; what is missing has no key. */
export const ownValues = z.record(z.string(), ownValue)

export type OwnValue = z.output<typeof ownValue>
export type OwnValues = z.output<typeof ownValues>

/** What a write changes of them; null removes a value, and all others stay. */
export type OwnChanges = Record<string, OwnValue | null>

/** The values after a write, as the database merges them. */
export function withOwnChanges(values: OwnValues, changes: OwnChanges | undefined): OwnValues {
  const after: OwnValues = {}
  for (const [id, value] of Object.entries({ ...values, ...changes })) {
    if (value !== null) after[id] = value
  }
  return after
}
