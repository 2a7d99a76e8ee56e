import { z } from 'zod'

// What answers always have. Records have all that their screens show, so more may come: programs read what they know.

const record = z.looseObject({})
const cursor = z.looseObject({}).nullable().describe('Where the next page begins; null at the end.')
const batch = z.uuid().nullable().describe('What undo takes; null where nothing changed.')

export const listAnswer = z.looseObject({
  rows: z.array(z.looseObject({ id: z.uuid() })),
  next: cursor,
})

export const searchAnswer = z.array(z.looseObject({ kind: z.string(), id: z.uuid() }))

export const recordAnswer = z.looseObject({
  record: z.looseObject({ id: z.uuid() }),
  timeline: z.array(z.looseObject({ at: z.string(), key: z.string(), kind: z.string() })),
  next: cursor,
})

export const textAnswer = z.looseObject({
  text: z.string(),
  start: z.number().int(),
  length: z.number().int().describe('Of the whole text, in characters.'),
  next: z.number().int().nullable().describe('The start of what follows; null at the end.'),
})

export const todayAnswer = z.looseObject({
  day: z.string(),
  time_zone: z.string(),
  tasks: listAnswer,
  counts: record,
  deals_needing_a_push: z.unknown(),
})

export const figuresAnswer = z.looseObject({ dashboard: record, goal: z.unknown(), report: record })

export const historyAnswer = z.looseObject({
  rows: z.array(z.looseObject({ batch: z.uuid(), by: z.string().nullable() })),
  next: cursor,
})

export const savedAnswer = z.looseObject({
  id: z.uuid(),
  record: z.looseObject({ id: z.uuid() }),
  batch,
})

export const changedAnswer = z.looseObject({ record: z.looseObject({ id: z.uuid() }), batch })

export const notedAnswer = z.looseObject({
  note: z.looseObject({ id: z.uuid() }),
  task: record.nullable().describe('The next step.'),
  batch,
})

export const addedAnswer = z.looseObject({ records: z.array(record), batch })

export const undoneAnswer = z.looseObject({
  batch: batch.optional(),
  conflicts: z.array(z.unknown()).describe('Records that changed since: then nothing was undone.'),
})

/** Of a token that may only propose. */
export const proposedAnswer = z.looseObject({
  proposal: z.uuid(),
  changes: z.array(record).describe('Each record as it would change: before and after.'),
  message: z.string(),
})
