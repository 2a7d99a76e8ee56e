import { clipped } from './change-values.ts'
import { nounOf } from './change-words.ts'
import { counted } from './counted.ts'
import type { BatchGroup, BatchRow } from './log.ts'

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
  deal_contacts: ['contacts', 'deals'],
  pipeline_stages: ['pipelines'],
  not_duplicates: ['contacts', 'companies'],
  // What a form made tells more than that something was sent.
  form_submissions: ['contacts', 'notes', 'forms'],
  files: ['notes', 'contacts', 'companies', 'deals'],
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
  if ((table !== 'notes' && table !== 'files') || !row.is_there) return undefined
  // A note or file links to the record that it is on.
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
