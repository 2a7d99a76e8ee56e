import { changeWords, clipped, type LoggedChange, linkName, nounOf } from './change-words.ts'
import { counted } from './counted.ts'
import { lostStage, wonStage } from './deal.ts'

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

/** What a batch did, in the words of the person who did it. An undo is told as what it took back. */
export function batchWords(batch: LoggedBatch, { timeZone }: { timeZone: string }): BatchWords {
  if (batch.undoes === null) return wordsOf(batch, timeZone)
  const { sentence, details } = wordsOf(takenBack(batch), timeZone)
  return { sentence: [{ text: 'Undid: ' }, ...sentence], details }
}

function takenBack(batch: LoggedBatch): LoggedBatch {
  const opposite = { insert: 'delete', delete: 'insert', update: 'update' } as const
  return {
    ...batch,
    groups: batch.groups.map((group) => ({
      ...group,
      verb: opposite[group.verb],
      before: group.after,
      after: group.before,
      only_unlinks: group.only_links,
      only_links: group.only_unlinks,
    })),
  }
}

function wordsOf(batch: LoggedBatch, timeZone: string): BatchWords {
  if (batch.deed === 'import') return imported(batch)
  if (batch.deed === 'merge') return merged(batch)
  if (batch.deed === 'backup') return restored(batch)
  if (batch.deed === 'samples') return sampled(batch)
  const told = worthTelling(batch.groups)
  if (told.length > 1 && told.every(({ verb }) => verb === 'insert')) return added(told)
  const [main, other] = told
  if (!main) return { sentence: [{ text: 'Changed the board' }], details: [] }
  const first = groupWords(main, timeZone)
  if (!other) return first
  const also = groupWords(other, timeZone).sentence
  const joined = [...first.sentence, { text: ' and ' }, ...withSmallStart(also)]
  return { sentence: joined, details: first.details }
}

/** 'Added contact Ada Lovelace, company Acme and task Call Ada': what one line of quick add creates. */
function added(groups: BatchGroup[]): BatchWords {
  const sentence = groups.flatMap((group, at) => {
    const before = at === 0 ? 'Added ' : at === groups.length - 1 ? ' and ' : ', '
    return [{ text: before }, ...whatWas(group, true)]
  })
  return { sentence, details: [] }
}

/** Smaller is told first. */
const ranks = [
  'contacts',
  'companies',
  'deals',
  'pipelines',
  'tasks',
  'collections',
  'notes',
  'email_templates',
  'saved_views',
  'pipeline_stages',
  'collection_members',
]

const wholes: Record<string, string[]> = {
  notes: ['contacts', 'companies', 'deals'],
  collection_members: ['contacts', 'collections'],
  pipeline_stages: ['pipelines'],
  not_duplicates: ['contacts', 'companies'],
}

/**
 * Without what only followed: parts that came or went with their whole, links that a deletion cut, the
 * next one of a repeating task.
 */
function worthTelling(groups: BatchGroup[]): BatchGroup[] {
  const hasDeletion = groups.some(({ verb }) => verb === 'delete')
  const isTick = groups.some((group) => group.table_name === 'tasks' && isCompletion(group))
  const told = groups.filter((group) => {
    const { table_name, verb } = group
    if (verb === 'update') return !(hasDeletion && group.only_unlinks)
    if (table_name === 'tasks' && isTick) return false
    return !groups.some(
      (other) => other.verb === verb && wholes[table_name]?.includes(other.table_name),
    )
  })
  const rankOf = ({ table_name }: BatchGroup) => (ranks.indexOf(table_name) + 100) % 100
  return told.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function isCompletion({ verb, after }: BatchGroup): boolean {
  return verb === 'update' && after !== null && 'completed' in after
}

function groupWords(group: BatchGroup, timeZone: string): BatchWords {
  if (group.table_name === 'collection_members') return membership(group)
  if (group.table_name === 'not_duplicates') return toldApart(group)
  const talk = group.verb === 'insert' ? talkOf(group) : null
  if (talk) return talk
  const verbs = { insert: 'Added', delete: 'Deleted', update: 'Changed' } as const
  if (group.verb === 'update') {
    const deed = deedOf(group)
    if (deed) return deed
    if (group.count === 1) return changedOne(group, timeZone)
    const [field] = group.after ? fieldWords(group, timeZone) : []
    if (field) return { sentence: [{ text: `${field} for ${many(group)}` }], details: names(group) }
  }
  return {
    sentence: [{ text: `${verbs[group.verb]} ` }, ...whatWas(group, true)],
    details: names(group),
  }
}

/** What is done to a record rather than changed about it. */
function deedOf(group: BatchGroup): BatchWords | null {
  const { table_name, after } = group
  const said = (before: string, behind = '') => ({
    sentence: [{ text: `${before} ` }, ...whatWas(group), ...(behind ? [{ text: behind }] : [])],
    details: names(group),
  })
  if (table_name === 'tasks' && isCompletion(group)) {
    return said(after?.completed ? 'Completed' : 'Reopened')
  }
  if (table_name !== 'deals' || !after || !('stage_id' in after)) return null
  const to = linkName(group, after.stage_id)
  if (to === wonStage) return said('Marked', ' as won')
  if (to === lostStage) {
    const reason = clipped(String(after.lost_reason ?? ''))
    return said('Marked', reason ? ` as lost: ${reason}` : ' as lost')
  }
  return to ? said('Moved', ` to ${to}`) : null
}

/** Whom one has spoken or written to: that is what happened, not that it was written down. */
function talkOf(group: BatchGroup): BatchWords | null {
  const [row] = group.rows
  const words = { call: 'Logged a call', meeting: 'Logged a meeting', email: 'E-mailed' }
  const said = words[row?.kind as keyof typeof words] // others have no words of their own
  if (group.table_name !== 'notes' || !row || !said) return null
  const isMail = row.kind === 'email'
  if (group.count > 1) {
    const who = counted(group.count, 'contact')
    return { sentence: [{ text: isMail ? `${said} ${who}` : `${said} with ${who}` }], details: [] }
  }
  const record = recordOf('notes', row)
  const name = clipped(row.about ?? 'someone')
  const link = isMail ? ' ' : row.deal_id ? ' about ' : ' with '
  return {
    sentence: [{ text: said + link }, record ? { text: name, record } : { text: name }],
    details: row.name ? [clipped(row.name)] : [],
  }
}

function changedOne(group: BatchGroup, timeZone: string): BatchWords {
  return {
    sentence: [{ text: 'Changed ' }, ...whatWas(group, true)],
    details: fieldWords(group, timeZone),
  }
}

function fieldWords(group: BatchGroup, timeZone: string): string[] {
  const [row] = group.rows
  if (!group.after || !row) return []
  const change = { ...group, row_id: row.id, label: row.name, undoes: null }
  const page = { table: group.table_name, id: row.id }
  const words = changeWords(change, { timeZone, page })
  return words.filter((each) => each !== 'Changed')
}

function membership(group: BatchGroup): BatchWords {
  const [row] = group.rows
  const collection = row?.name ? `collection ${clipped(row.name)}` : 'a collection'
  const [verb, way] = group.verb === 'delete' ? ['Removed', 'from'] : ['Added', 'to']
  const who = counted(group.count, 'contact')
  return { sentence: [{ text: `${verb} ${who} ${way} ${collection}` }], details: [] }
}

function toldApart({ count, verb }: BatchGroup): BatchWords {
  const pairs = counted(count, 'pair')
  const text =
    verb === 'delete'
      ? `Took the mark “not duplicates” from ${pairs}`
      : `Marked ${pairs} as not duplicates`
  return { sentence: [{ text }], details: [] }
}

function imported({ groups, about }: LoggedBatch): BatchWords {
  const of = (verb: BatchGroup['verb']) =>
    groups.filter((group) => group.verb === verb && !(group.table_name in wholes)).map(many)
  const [added, changed] = [of('insert'), of('update')]
  const words = [
    added.length > 0 ? `Imported ${listed(added)}` : '',
    changed.length > 0 ? `${added.length > 0 ? 'updated' : 'Updated'} ${listed(changed)}` : '',
  ]
  const sentence = words.filter(Boolean).join(' and ') || 'Imported a file'
  return { sentence: [{ text: sentence }], details: about ? [about] : [] }
}

function merged({ groups, about }: LoggedBatch): BatchWords {
  const gone = groups.find(({ table_name, verb }) => verb === 'delete' && !(table_name in wholes))
  if (!gone) return { sentence: [{ text: 'Merged records' }], details: [] }
  const kept = groups.find(({ table_name, verb, count }) => {
    return verb === 'update' && table_name === gone.table_name && count === 1
  })
  // One whose values stayed as they were is only known by its name.
  const name = kept ? whatWas(kept) : about ? [{ text: clipped(about) }] : []
  const into = name.length > 0 ? [{ text: ' into ' }, ...name] : []
  return { sentence: [{ text: 'Merged ' }, ...whatWas(gone), ...into], details: [] }
}

function restored({ groups, about }: LoggedBatch): BatchWords {
  const added = groups.filter(
    ({ verb, table_name }) => verb === 'insert' && !(table_name in wholes),
  )
  const what = listed(added.map(many)) || 'records'
  return {
    sentence: [{ text: `Restored ${what} from a backup` }],
    details: about ? [about] : [],
  }
}

function sampled({ groups }: LoggedBatch): BatchWords {
  const isGone = groups.some(({ verb }) => verb === 'delete')
  const what = groups.filter(
    ({ verb, table_name }) => verb === (isGone ? 'delete' : 'insert') && !(table_name in wholes),
  )
  return {
    sentence: [{ text: isGone ? 'Removed the sample data' : 'Loaded sample data' }],
    details: what.length > 0 ? [listed(what.map(many))] : [],
  }
}

/** 'contact Ada Lovelace' or 'Ada Lovelace', which may lead to a page; '12 contacts'. */
function whatWas(group: BatchGroup, withNoun = false): Piece[] {
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

function recordOf(table: string, row: BatchRow): Piece['record'] {
  if (['contacts', 'companies', 'deals'].includes(table)) {
    return row.is_there ? { table, id: row.id } : undefined
  }
  if (table !== 'notes' || !row.is_there) return undefined
  // A note stands on the page of what it is about.
  if (row.contact_id) return { table: 'contacts', id: row.contact_id }
  if (row.company_id) return { table: 'companies', id: row.company_id }
  return row.deal_id ? { table: 'deals', id: row.deal_id } : undefined
}

function many({ table_name, count }: BatchGroup): string {
  const { one, many: several } = nounOf(table_name)
  return counted(count, one, several)
}

/** 'Ada, Grace, Peter and 9 others', where the sentence tells only how many. */
function names({ rows, count }: BatchGroup): string[] {
  if (count === 1) return []
  const known = rows.flatMap(({ name }) => (name ? [clipped(name)] : []))
  if (known.length === 0) return []
  const rest = count - known.length
  return [listed(rest > 0 ? [...known, counted(rest, 'other')] : known)]
}

/** 'a, b and c'. */
function listed(words: string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last
}

function withSmallStart([first, ...rest]: Piece[]): Piece[] {
  if (!first) return rest
  return [{ ...first, text: first.text.charAt(0).toLowerCase() + first.text.slice(1) }, ...rest]
}
