import { z } from 'zod/mini'
import { clipped, loggedChange, nounOf } from './change-words.ts'
import { counted } from './counted.ts'

/** A row that a batch changed. */
const batchRow = z.object({
  id: z.string(),
  name: z.nullable(z.string()),
  is_there: z.boolean(),
  contact_id: z.nullable(z.string()),
  company_id: z.nullable(z.string()),
  deal_id: z.nullable(z.string()),
  /** Of a note: its kind, and the record that it is about. */
  kind: z.optional(z.nullable(z.string())),
  about: z.optional(z.nullable(z.string())),
})

export type BatchRow = z.output<typeof batchRow>

/** What a batch did to the rows of one table. */
const batchGroup = z.object({
  ...z.pick(loggedChange, { table_name: true, verb: true, before: true, after: true, names: true })
    .shape,
  count: z.number(),
  /** Whether the update only emptied links, as a deletion does, or only restored them, as its undo does. */
  only_unlinks: z.boolean(),
  only_links: z.boolean(),
  /** The first few of them. */
  rows: z.array(batchRow),
})

export type BatchGroup = z.output<typeof batchGroup>

/** One entry of the history, as `history_page` returns it. */
export const loggedBatch = z.object({
  batch: z.string(),
  at: z.string(),
  undoes: z.nullable(z.string()),
  deed: z.nullable(z.enum(['import', 'merge', 'backup', 'samples'])),
  /** The file of an import, or the record that a merge kept. */
  about: z.nullable(z.string()),
  groups: z.array(batchGroup),
})

export type LoggedBatch = z.output<typeof loggedBatch>

/** A piece of a sentence; with a record it becomes a link. */
export type Piece = { text: string; record?: { table: string; id: string } }

export type BatchWords = {
  /** 'Deleted 12 contacts', with a link where it was one record. */
  sentence: Piece[]
  /** Names, or the changes to one record. */
  details: string[]
}

export const wholes: Record<string, string[]> = {
  notes: ['contacts', 'companies', 'deals'],
  collection_members: ['contacts', 'collections'],
  pipeline_stages: ['pipelines'],
  not_duplicates: ['contacts', 'companies'],
}

/** 'contact Ada Lovelace' or 'Ada Lovelace', with a link; '12 contacts'. */
export function whatWas(group: BatchGroup, withNoun = false): Piece[] {
  const [row] = group.rows
  if (group.count > 1 || !row) return [{ text: many(group) }]
  const { one } = nounOf(group.table_name)
  if (!row.name) return [{ text: `a ${one}` }]
  const isNote = group.table_name === 'notes'
  const name = isNote ? `“${clipped(row.name)}”` : clipped(row.name)
  const record = recordOf(group.table_name, row)
  const piece = record ? { text: name, record } : { text: name }
  return withNoun ? [{ text: `${one} ` }, piece] : [piece]
}

export function recordOf(table: string, row: BatchRow): Piece['record'] {
  if (['contacts', 'companies', 'deals'].includes(table)) {
    return row.is_there ? { table, id: row.id } : undefined
  }
  if (table !== 'notes' || !row.is_there) return undefined
  // A note links to the record that it is about.
  if (row.contact_id) return { table: 'contacts', id: row.contact_id }
  if (row.company_id) return { table: 'companies', id: row.company_id }
  return row.deal_id ? { table: 'deals', id: row.deal_id } : undefined
}

export function many({ table_name, count }: BatchGroup): string {
  const { one, many: several } = nounOf(table_name)
  return counted(count, one, several)
}

/** 'Ada, Grace, Peter and 9 others', where the sentence has only the count. */
export function names({ rows, count }: BatchGroup): string[] {
  if (count === 1) return []
  const known = rows.flatMap(({ name }) => (name ? [clipped(name)] : []))
  if (known.length === 0) return []
  const rest = count - known.length
  return [listed(rest > 0 ? [...known, counted(rest, 'other')] : known)]
}

/** 'a, b and c'. */
export function listed(words: string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last
}
