import { types } from '@electric-sql/pglite'

type Parsers = Record<number, (text: string, type: number) => unknown>
type Serializers = Record<number, (value: unknown) => string>

const numeric = 1700
const timestamptz = 1184
const bigint = 20

/** Types of dates and times without a zone: they stay text, as PostgreSQL writes them. */
export const asWritten = [1082, 1083, 1114, 1266]

/** `2026-11-15 00:18:26.2+00` as hosted Supabase sends it: `2026-11-15T00:18:26.2+00:00`. */
export function isoTimestamp(value: string): string {
  return value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

/** Parsers and serializers by the OID of the type. */
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

  /** Adds array types, whose elements are parsed and serialized by their own type. */
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
 * Throws for a value that cannot be serialized, such as an object in place of a list. Otherwise it would break
 * off in the middle of a protocol message.
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
