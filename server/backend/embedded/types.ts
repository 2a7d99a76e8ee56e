import { types } from '@electric-sql/pglite'

type Parsers = Record<number, (text: string, type: number) => unknown>
type Serializers = Record<number, (value: unknown) => string>

const numeric = 1700
const timestamptz = 1184
const bigint = 20

/** Dates and times without a zone arrive as PostgreSQL writes them. */
export const asWritten = [1082, 1083, 1114, 1266]

/** `2026-11-15 00:18:26.2+00` as hosted Supabase sends it: `2026-11-15T00:18:26.2+00:00`. */
export function isoTimestamp(value: string): string {
  return value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

/** How values are read and written, by the number of their type. */
export class EmbeddedTypes {
  readonly parsers: Parsers = {
    ...types.parsers,
    ...Object.fromEntries(asWritten.map((type) => [type, String])),
    [bigint]: Number,
    [numeric]: Number,
    [timestamptz]: isoTimestamp,
  }
  readonly serializers: Serializers = {}

  constructor() {
    for (const [type, serialize] of Object.entries(types.serializers)) {
      this.serializers[Number(type)] = refuseUnserialized(type, serialize)
    }
  }

  /** A list is read and written element by element, in the way of its elements. */
  addLists(lists: readonly { element: number; list: number }[]): void {
    for (const { element, list } of lists) {
      const parse = this.parsers[element]
      const serialize = this.serializers[element]
      this.parsers[list] ??= (text) => types.arrayParser(text, parse as never, list)
      this.serializers[list] ??= refuseUnserialized(String(list), (value) =>
        types.arraySerializer(value as never, serialize as never, list),
      )
    }
  }
}

/**
 * What cannot be written as text, such as an object where a list belongs, would be handed on as it is, and
 * break off in the middle of a message. Refused before, it is a value of the wrong form like any other.
 */
function refuseUnserialized(type: string, serialize: (value: never) => unknown) {
  return (value: unknown): string => {
    const written = attempt(() => serialize(value as never))
    if (typeof written !== 'string') throw new Error(`Invalid input for type ${type}`)
    return written
  }
}

function attempt(write: () => unknown): unknown {
  try {
    return write()
  } catch {
    return undefined
  }
}
