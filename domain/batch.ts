import { clipped, type LoggedChange, nounOf } from './change-words.ts'
import { counted } from './counted.ts'

/** A row that a batch did something to; what has a page of its own, or hangs on what has, can be linked. */
export type BatchRow = {
  id: string
  name: string | null
  is_there: boolean
  contact_id: string | null
  company_id: string | null
  deal_id: string | null
  /** Of a note: whether it was a call, a meeting or an e-mail, and the record that it is about. */
  kind?: string | null
  about?: string | null
}

/** What a batch did to the rows of one table. */
export type BatchGroup = Pick<
  LoggedChange,
  'table_name' | 'verb' | 'before' | 'after' | 'names'
> & {
  count: number
  /** Links were emptied, as a deletion does, or filled again, as its undo does; nothing else. */
  only_unlinks: boolean
  only_links: boolean
  /** The first few. */
  rows: BatchRow[]
}

/** One entry of the history, as `history_page` tells it. */
export type LoggedBatch = {
  batch: string
  at: string
  undoes: string | null
  deed: 'import' | 'merge' | 'backup' | 'samples' | null
  /** The file of an import, or the record that is left of a merge. */
  about: string | null
  groups: BatchGroup[]
}

/** A piece of a sentence; with a record, it can lead there. */
export type Piece = { text: string; record?: { table: string; id: string } }

export type BatchWords = {
  /** 'Deleted 12 contacts', with the record that it was, where it was one. */
  sentence: Piece[]
  /** What else is worth telling: names, or what changed about one record. */
  details: string[]
}

export const wholes: Record<string, string[]> = {
  notes: ['contacts', 'companies', 'deals'],
  collection_members: ['contacts', 'collections'],
  pipeline_stages: ['pipelines'],
  not_duplicates: ['contacts', 'companies'],
}

/** 'contact Ada Lovelace' or 'Ada Lovelace', which may lead to a page; '12 contacts'. */
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
  // A note stands on the page of what it is about.
  if (row.contact_id) return { table: 'contacts', id: row.contact_id }
  if (row.company_id) return { table: 'companies', id: row.company_id }
  return row.deal_id ? { table: 'deals', id: row.deal_id } : undefined
}

export function many({ table_name, count }: BatchGroup): string {
  const { one, many: several } = nounOf(table_name)
  return counted(count, one, several)
}

/** 'Ada, Grace, Peter and 9 others', where the sentence tells only how many. */
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
