import { z } from 'zod/mini'

// The entries of the log as the database returns them. Their words are loaded when they are shown: change-words.ts,
// batch-words.ts.

const values = z.record(z.string(), z.unknown())

/** One row of the log, with the names of the linked records. */
export const loggedChange = z.object({
  table_name: z.string(),
  row_id: z.string(),
  verb: z.enum(['insert', 'update', 'delete']),
  /** The record's name at the time; null when it has been erased. */
  label: z.nullable(z.string()),
  before: z.nullable(values),
  after: z.nullable(values),
  /** The batch that it undoes, if any. */
  undoes: z.nullable(z.string()),
  names: z.nullable(z.record(z.string(), z.nullable(z.string()))),
})

export type LoggedChange = z.output<typeof loggedChange>

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
  action: z.nullable(z.enum(['import', 'merge', 'backup', 'samples', 'rename tag', 'delete tag'])),
  /** The file of an import, the record that a merge kept, or a tag. */
  about: z.nullable(z.string()),
  groups: z.array(batchGroup),
  /** The access token that did it, by its name; nothing where the user did. */
  by: z.optional(z.nullable(z.string())),
})

export type LoggedBatch = z.output<typeof loggedBatch>
