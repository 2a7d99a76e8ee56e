import type { Database } from './database.types.ts'
import { notFound } from './errors.ts'
import { supabase } from './supabase.ts'

type Stored = { id: string; updated_at: string }

type RecordWritesOptions<Card extends Stored> = {
  table: 'companies' | 'contacts' | 'deals' | 'tasks' | 'notes'
  /** What a write answers with. */
  columns: string
  /** The record as it is now, or null when there is none. */
  read: (id: string) => Promise<Card | null>
}

/** The same record was saved in another window meanwhile; this is how it stands there. */
export class RecordConflict<Card> extends Error {
  readonly current: Card
  constructor(current: Card) {
    super('It was changed in another window. Compare both versions and choose one.')
    this.current = current
  }
}

/** How every record is created, changed and deleted: safe against lost answers and other windows. */
export function recordWrites<
  Row extends Stored,
  Card extends Stored,
  Values extends Record<string, unknown>,
>({ table, columns, read }: RecordWritesOptions<Card>) {
  // The caller names the types of its table; that they are the table's own, the types of `Row` tell.
  const rows = () => supabase().from(table as 'companies')
  type Columns = Database['public']['Tables']['companies']['Update']

  async function overwrite(id: string, values: Partial<Values>): Promise<Row> {
    const { data, error } = await rows()
      .update(values as Columns)
      .eq('id', id)
      .select(columns)
      .maybeSingle()
    if (error) throw error
    if (!data) throw notFound()
    return data as unknown as Row
  }

  /**
   * Saves over the version that the user saw, and over no other. Where another window changed only
   * what is not saved here, there is nothing to choose.
   */
  async function overSeen(seen: Card, values: Partial<Values>): Promise<Row> {
    const { data, error } = await rows()
      .update(values as Columns)
      .eq('id', seen.id)
      .eq('updated_at', seen.updated_at)
      .select(columns)
      .maybeSingle()
    if (error) throw error
    if (data) return data as unknown as Row
    const current = await read(seen.id)
    if (!current) throw notFound()
    if (isSame(seen, current, Object.keys(values))) return overSeen(current, values)
    throw new RecordConflict(current)
  }

  /** The write to each record that is under way. */
  const underWay = new Map<string, Promise<Row>>()

  /**
   * One after the other for each record: what the user sees are already the writes under way, so the
   * next one is over what the last one stored.
   */
  async function inTurn(seen: Card, values: Partial<Values>, write: typeof overSeen): Promise<Row> {
    const before = underWay.get(seen.id)
    const afterIt = async () => {
      const stored = await before?.catch(() => undefined)
      const isSeen = stored && isSame(seen, stored, Object.keys(values))
      return write(isSeen ? { ...seen, ...stored } : seen, values)
    }
    const done = afterIt()
    underWay.set(seen.id, done)
    try {
      return await done
    } finally {
      if (underWay.get(seen.id) === done) underWay.delete(seen.id)
    }
  }

  return {
    /** With an id of the caller's, one for all tries: a lost answer never makes two records. */
    async create(id: string, values: Values): Promise<Row> {
      const { data, error } = await rows()
        .insert({ ...values, id } as never)
        .select(columns)
        .single()
      // Saved by an earlier try whose answer got lost; what is in the form now is what counts.
      if (error?.code === '23505') return overwrite(id, values)
      if (error) throw error
      return data as unknown as Row
    },

    /** Throws a `RecordConflict` when another window has changed what is saved here. */
    update: (seen: Card, values: Partial<Values>) => inTurn(seen, values, overSeen),

    /** As `update`, for a choice that counts whatever another window has made of it. */
    insist: (seen: Card, values: Partial<Values>) =>
      inTurn(seen, values, ({ id }) => overwrite(id, values)),

    async remove(id: string): Promise<void> {
      const { data, error } = await rows().delete().eq('id', id).select('id')
      if (error) throw error
      if (data.length === 0) throw notFound()
    },
  }
}

function isSame(one: object, other: object, names: string[]): boolean {
  const [a, b] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return names.every((name) => comparable(a.get(name)) === comparable(b.get(name)))
}

/** Some are lists; and the database writes a time in another form than the browser does. */
function comparable(value: unknown): unknown {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  return isTime ? Date.parse(value) : JSON.stringify(value)
}
