import { type BatchWords, many, names, type Piece, recordOf, whatWas, wholes } from './batch.ts'
import { clipped, linkName } from './change-values.ts'
import { changeWords } from './change-words.ts'
import { counted } from './counted.ts'
import { outcomeNamed } from './deal.ts'
import type { BatchGroup, LoggedBatch } from './log.ts'
import { imported, merged, restored, sampled, tagged } from './operation-words.ts'

/**
 * Describes a batch in a sentence. An undo is described as 'Undid: ' and what it undid; what an assistant or a program
 * did begins with the name of its token.
 */
export function batchWords(batch: LoggedBatch, where: { timeZone: string }): BatchWords {
  const words = ownWords(batch, where)
  if (!batch.by) return words
  return { ...words, sentence: [{ text: `${batch.by} · ` }, ...words.sentence] }
}

/** What each verb of a sentence is called before it is done. */
const undone: Readonly<Record<string, string>> = {
  Added: 'Add',
  Changed: 'Change',
  Completed: 'Complete',
  Deleted: 'Delete',
  Logged: 'Log',
  Marked: 'Mark',
  Merged: 'Merge',
  Moved: 'Move',
  Opened: 'Open',
  Removed: 'Remove',
  Renamed: 'Rename',
  Reopened: 'Reopen',
  Restored: 'Restore',
  Undid: 'Undo',
}

/** Describes what a batch would do: 'Claude · Move Halden to Proposal'. */
export function proposalWords(batch: LoggedBatch, where: { timeZone: string }): Piece[] {
  const { sentence } = ownWords(batch, where)
  const pieces = sentence.map((piece, at) => {
    // What an undo takes back was done.
    const isVerb = at === 0 || (sentence[at - 1]?.text === ' and ' && batch.undoes === null)
    return isVerb && !piece.record ? { ...piece, text: notYet(piece.text) } : piece
  })
  return batch.by ? [{ text: `${batch.by} · ` }, ...pieces] : pieces
}

function notYet(text: string): string {
  return text.replace(/^\w+/, (word) => {
    const verb = undone[word.charAt(0).toUpperCase() + word.slice(1)]
    if (!verb) return word
    return /^[a-z]/.test(word) ? verb.toLowerCase() : verb
  })
}

function ownWords(batch: LoggedBatch, { timeZone }: { timeZone: string }): BatchWords {
  if (batch.undoes === null) return wordsOf(batch, timeZone)
  const { sentence, details } = wordsOf(inverted(batch), timeZone)
  return { sentence: [{ text: 'Undid: ' }, ...sentence], details }
}

function inverted(batch: LoggedBatch): LoggedBatch {
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
  if (batch.action === 'import') return imported(batch)
  if (batch.action === 'merge') return merged(batch)
  if (batch.action === 'backup') return restored(batch)
  if (batch.action === 'samples') return sampled(batch)
  if (batch.action === 'rename tag') return tagged('Renamed', batch)
  if (batch.action === 'delete tag') return tagged('Deleted', batch)
  const groups = withoutSideEffects(batch.groups)
  const isNextStep = groups.length === 2 && groups.some((group) => conversationOf(group))
  if (groups.length > 1 && !isNextStep && groups.every(({ verb }) => verb === 'insert')) {
    return added(groups)
  }
  const [main, other] = groups
  if (!main) return { sentence: [{ text: 'Changed the board' }], details: [] }
  const first = groupWords(main, timeZone)
  if (!other) return first
  const also = groupWords(other, timeZone).sentence
  const joined = [...first.sentence, { text: ' and ' }, ...withSmallStart(also)]
  return { sentence: joined, details: first.details }
}

/** 'Added contact Ada Lovelace, company Acme and task Call Ada', for a line of quick add. */
function added(groups: BatchGroup[]): BatchWords {
  const sentence = groups.flatMap((group, at) => {
    const before = at === 0 ? 'Added ' : at === groups.length - 1 ? ' and ' : ', '
    return [{ text: before }, ...whatWas(group, true)]
  })
  return { sentence, details: [] }
}

/** The order in which tables are named. */
const ranks = [
  'contacts',
  'companies',
  'deals',
  'pipelines',
  'tasks',
  'collections',
  'notes',
  'files',
  'email_templates',
  'fields',
  'forms',
  'form_submissions',
  'saved_views',
  'pipeline_stages',
  'collection_members',
  'deal_contacts',
]

/**
 * Leaves out side effects: parts that were added or deleted with their parent, links that a deletion emptied, the
 * next task of a repetition.
 */
function withoutSideEffects(groups: BatchGroup[]): BatchGroup[] {
  const hasDeletion = groups.some(({ verb }) => verb === 'delete')
  const tick = groups.find((group) => group.table_name === 'tasks' && isCompletion(group))
  // The next task of a repetition is called like the one before; a next step has its own words.
  const repeats = ({ count, rows }: BatchGroup) =>
    count > 1 || rows[0]?.name === tick?.rows[0]?.name
  const kept = groups.filter((group) => {
    const { table_name, verb } = group
    // A submission that was accepted is told by what it made.
    if (table_name === 'form_submissions' && verb === 'update') return groups.length === 1
    if (verb === 'update') return !(hasDeletion && group.only_unlinks)
    if (table_name === 'tasks' && tick && repeats(group)) return false
    return !groups.some(
      (other) => other.verb === verb && wholes[table_name]?.includes(other.table_name),
    )
  })
  const rankOf = ({ table_name }: BatchGroup) => (ranks.indexOf(table_name) + 100) % 100
  return kept.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function isCompletion({ verb, after }: BatchGroup): boolean {
  return verb === 'update' && after !== null && 'completed' in after
}

function groupWords(group: BatchGroup, timeZone: string): BatchWords {
  if (group.table_name === 'collection_members') return membership(group)
  if (group.table_name === 'not_duplicates') return notDuplicates(group)
  const conversation = group.verb === 'insert' ? conversationOf(group) : null
  if (conversation) return conversation
  const verbs = { insert: 'Added', delete: 'Deleted', update: 'Changed' } as const
  if (group.verb === 'update') {
    const action = actionOf(group)
    if (action) return action
    if (group.count === 1) return changedOne(group, timeZone)
    const [field] = group.after ? fieldWords(group, timeZone) : []
    if (field) return { sentence: [{ text: `${field} for ${many(group)}` }], details: names(group) }
  }
  // Someone who was taken off a deal is not deleted.
  const isRemoval = group.table_name === 'deal_contacts' && group.verb === 'delete'
  const verb = isRemoval ? 'Removed' : verbs[group.verb]
  return {
    sentence: [{ text: `${verb} ` }, ...whatWas(group, true)],
    details: names(group),
  }
}

/** The words for a special update, such as completing a task or moving a deal; null for other updates. */
function actionOf(group: BatchGroup): BatchWords | null {
  const { table_name, after } = group
  const words = (before: string, behind = '') => ({
    sentence: [{ text: `${before} ` }, ...whatWas(group), ...(behind ? [{ text: behind }] : [])],
    details: names(group),
  })
  if (table_name === 'tasks' && isCompletion(group)) {
    return words(after?.completed ? 'Completed' : 'Reopened')
  }
  if (table_name !== 'deals' || !after || !('stage_id' in after)) return null
  const to = linkName(group, after.stage_id)
  const outcome = outcomeNamed(to)
  if (outcome === 'won') return words('Marked', ' as won')
  if (outcome === 'lost') {
    const reason = clipped(String(after.lost_reason ?? ''))
    return words('Marked', reason ? ` as lost: ${reason}` : ' as lost')
  }
  return to ? words('Moved', ` to ${to}`) : null
}

/** The words for a logged call, meeting or e-mail; null for other notes. */
function conversationOf(group: BatchGroup): BatchWords | null {
  const [row] = group.rows
  // Of an e-mail it is known that a draft was opened, not that it was sent.
  const words = {
    call: 'Logged a call',
    meeting: 'Logged a meeting',
    email: 'Opened an email draft',
  }
  const phrase = words[row?.kind as keyof typeof words] // undefined for other kinds
  if (group.table_name !== 'notes' || !row || !phrase) return null
  const isMail = row.kind === 'email'
  if (group.count > 1) {
    const who = counted(group.count, 'contact')
    const text = isMail ? `Opened email drafts to ${who}` : `${phrase} with ${who}`
    return { sentence: [{ text }], details: [] }
  }
  const record = recordOf('notes', row)
  const name = clipped(row.about ?? 'someone')
  const link = isMail ? ' to ' : row.deal_id ? ' about ' : ' with '
  return {
    sentence: [{ text: phrase + link }, record ? { text: name, record } : { text: name }],
    details: row.name ? [clipped(withoutMarks(row.name))] : [],
  }
}

/** A note is Markdown: '**Friday**' is read as 'Friday'. */
function withoutMarks(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)\s]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(\S.*?)\1/g, '$2')
    .replace(/^\s*(?:#{1,6}|[-*+>])\s+/gm, '')
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

function notDuplicates({ count, verb }: BatchGroup): BatchWords {
  const pairs = counted(count, 'pair')
  const text =
    verb === 'delete'
      ? `Removed “not duplicates” from ${pairs}`
      : `Marked ${pairs} as not duplicates`
  return { sentence: [{ text }], details: [] }
}

function withSmallStart([first, ...rest]: Piece[]): Piece[] {
  if (!first) return rest
  return [{ ...first, text: first.text.charAt(0).toLowerCase() + first.text.slice(1) }, ...rest]
}
