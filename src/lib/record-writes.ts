import type { z } from 'zod/mini'
import { ownPrefix, valueAt } from '#domain/fields/field.ts'
import { checked } from './answers.ts'
import type { Database } from './database.types.ts'
import { notFound } from './errors.ts'
import { supabase } from './supabase.ts'
import { isUnsent } from './waiting-state.ts'

type Stored = { id: string; updated_at: string }

/** One write of a record: a new one, one over the version that was seen, or one over any. */
type RecordWrite<Values> = { id: string; values: Values; isNew: boolean; seen?: string }

type RecordWritesOptions<Row extends Stored, Card extends Stored, Values> = {
  table: 'companies' | 'contacts' | 'deals' | 'tasks' | 'notes'
  /** What a write answers with: these columns. */
  row: z.ZodMiniType<Row> & { shape: object }
  /** The record as it is now, or null when there is none. */
  read: (id: string) => Promise<Card | null>
  /** For a write of more than a row: by a function of the database. Null for every other; the answer is null for no row. */
  special?: (write: RecordWrite<Partial<Values>>) => Promise<Row | null> | null
}

/** Another window saved the same record meanwhile; `current` is its version. */
export class RecordConflict<Card> extends Error {
  readonly current: Card
  constructor(current: Card) {
    super('It was changed in another window. Compare both versions and choose one.')
    this.current = current
  }
}

/** Creates, changes and deletes records of one table, safe against lost answers and writes of other windows. */
export function recordWrites<
  Row extends Stored,
  Card extends Stored,
  Values extends Record<string, unknown>,
>({ table, row, read, special }: RecordWritesOptions<Row, Card, Values>) {
  const names = Object.keys(row.shape)
  const columns = names.join(', ')
  // One table stands for all in the types: the caller names the types of its own table by `Row` and `Values`.
  const rows = () => supabase().from(table as 'companies')
  type Columns = Database['public']['Tables']['companies']['Update']

  async function put(id: string, values: Partial<Values>, seen?: string): Promise<Row | null> {
    refuseUnsent(id)
    const done = special?.({ id, values, isNew: false, ...(seen ? { seen } : {}) })
    if (done) return done
    const update = rows()
      .update(values as Columns)
      .eq('id', id)
    const { data, error } = await (seen ? update.eq('updated_at', seen) : update)
      .select(columns)
      .maybeSingle()
    if (error) throw error
    return data && checked(row, data)
  }

  async function insert(id: string, values: Values): Promise<Row | null> {
    const done = special?.({ id, values, isNew: true })
    if (done) return done
    const { data, error } = await rows()
      .insert({ ...values, id } as never)
      .select(columns)
      .single()
    if (error) throw error
    return checked(row, data)
  }

  /** What a write changes of the row itself, and two versions of it may differ in. */
  const comparedIn = (values: Partial<Values>) =>
    namesIn(values).filter((name) => name.startsWith(ownPrefix) || names.includes(name))

  async function overwrite(id: string, values: Partial<Values>): Promise<Row> {
    const stored = await put(id, values)
    if (!stored) throw notFound()
    return stored
  }

  /**
   * Saves only over the version that the user saw. A change by another window to other fields is no conflict:
   * then it saves over the new version.
   */
  async function updateSeen(seen: Card, values: Partial<Values>): Promise<Row> {
    const stored = await put(seen.id, values, seen.updated_at)
    if (stored) return stored
    const current = await read(seen.id)
    if (!current) throw notFound()
    if (isSame(seen, current, comparedIn(values))) return updateSeen(current, values)
    throw new RecordConflict(current)
  }

  /** The last write under way for each record. */
  const pending = new Map<string, Promise<Row>>()

  /**
   * Runs the writes to one record one after the other. The user already sees the optimistic update of the
   * write before, so this write goes over the version that the write before stored.
   */
  async function serialized(
    seen: Card,
    values: Partial<Values>,
    write: typeof updateSeen,
  ): Promise<Row> {
    const before = pending.get(seen.id)
    const afterIt = async () => {
      const stored = await before?.catch(() => undefined)
      const isSeen = stored && isSame(seen, stored, comparedIn(values))
      return write(isSeen ? { ...seen, ...stored } : seen, values)
    }
    const done = afterIt()
    pending.set(seen.id, done)
    try {
      return await done
    } finally {
      if (pending.get(seen.id) === done) pending.delete(seen.id)
    }
  }

  return {
    /** The caller keeps one id for all tries, so that a lost answer never creates two records. */
    async create(id: string, values: Values): Promise<Row> {
      try {
        const stored = await insert(id, values)
        if (stored) return stored
      } catch (error) {
        if (Object(error).code !== '23505') throw error
      }
      // An earlier try was saved but its answer got lost: save what the form holds now.
      return overwrite(id, values)
    },

    /** Throws a `RecordConflict` when another window has changed a field that this write saves. */
    update: (seen: Card, values: Partial<Values>) => serialized(seen, values, updateSeen),

    /** As `update`, but overwrites what another window saved meanwhile. */
    force: (seen: Card, values: Partial<Values>) =>
      serialized(seen, values, ({ id }) => overwrite(id, values)),

    async remove(id: string): Promise<void> {
      refuseUnsent(id)
      const { data, error } = await rows().delete().eq('id', id).select('id')
      if (error) throw error
      if (data.length === 0) throw notFound()
    },
  }
}

/** On the server it is not there yet, and would look as if it were gone. */
function refuseUnsent(id: string): void {
  if (!isUnsent(id)) return
  throw new Error('It is still waiting to be sent. Take it back, or try again when it is sent.')
}

function isSame(one: object, other: object, names: string[]): boolean {
  return names.every((name) => comparable(valueAt(one, name)) === comparable(valueAt(other, name)))
}

/** The names of what a write changes; the user's own fields are written and compared one by one. */
function namesIn({ custom, ...values }: Record<string, unknown>): string[] {
  return [...Object.keys(values), ...Object.keys(Object(custom)).map((id) => `${ownPrefix}${id}`)]
}

/** Lists compare by content; times by moment, because the database formats them otherwise than the browser. */
function comparable(value: unknown): unknown {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
  return isTime ? Date.parse(value) : JSON.stringify(value)
}
