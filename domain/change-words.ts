import { clipped, currencyIn, linkName, shownOwn, shownValue } from './change-values.ts'
import { outcomeNamed } from './deal.ts'
import { entryChanges } from './entry-words.ts'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import { dealFields } from './fields/deals.ts'
import { entriesOf, firstOf, isListKind, listsOf } from './fields/entries.ts'
import { type Fields, ownPrefix, wordsFor } from './fields/field.ts'
import { taskFields } from './fields/tasks.ts'
import { shownNumber } from './figures.ts'
import type { LoggedChange } from './log.ts'
import { toldMoney } from './money.ts'
import { nameOrder } from './name-order.ts'
import { tagsWithout } from './tags.ts'

type Values = Record<string, unknown>

type Where = {
  timeZone: string
  /** The record whose page shows the sentence: there its name is left out. */
  page?: { table: string; id: string }
}

/**
 * Describes a change, one sentence for each field: 'Lead status
 * changed from New to Qualified', 'Marked as lost: Too expensive', 'Task “Call” added', 'Undid: Company
 * set to Acme'.
 */
export function changeWords(change: LoggedChange, where: Where): string[] {
  if (change.undoes === null) return wordsOf(change, where)
  return wordsOf(inverted(change), where).map((words) => `Undid: ${words}`)
}

const nouns: Record<string, [one: string, many: string]> = {
  contacts: ['contact', 'contacts'],
  companies: ['company', 'companies'],
  deals: ['deal', 'deals'],
  tasks: ['task', 'tasks'],
  notes: ['note', 'notes'],
  collections: ['collection', 'collections'],
  pipelines: ['pipeline', 'pipelines'],
  pipeline_stages: ['stage', 'stages'],
  saved_views: ['saved view', 'saved views'],
  email_templates: ['email template', 'email templates'],
  fields: ['field', 'fields'],
  forms: ['form', 'forms'],
  form_submissions: ['form submission', 'form submissions'],
  files: ['file', 'files'],
  deal_contacts: ['contact', 'contacts'],
}

/** The noun for the rows of a table, singular and plural. */
export function nounOf(table: string): { one: string; many: string } {
  const [one, many] = nouns[table] ?? ['record', 'records']
  return { one, many }
}

/** Tables where users change only the name. */
const named: Fields = { name: { kind: 'text', label: 'Name' } }

/** The fields that appear in the history; all others are internal. */
export const fieldsOf: Record<string, Fields> = {
  contacts: contactFields,
  companies: companyFields,
  deals: dealFields,
  tasks: taskFields,
  collections: named,
  pipelines: named,
  pipeline_stages: named,
  saved_views: named,
  email_templates: named,
  fields: named,
  forms: named,
  files: named,
  deal_contacts: { role: { kind: 'text', label: 'Role' } },
}

function wordsOf(change: LoggedChange, where: Where): string[] {
  if (change.table_name === 'collection_members') return [membership(change, where)]
  const { page } = where
  const isOfPage = page?.table === change.table_name && page.id === change.row_id
  const noun = capital(nounOf(change.table_name).one)
  const subject = change.label ? `${noun} “${clipped(change.label)}”` : noun
  const did = (words: string) => (isOfPage ? capital(words) : `${subject} ${words}`)
  if (change.verb === 'insert') return [isOfPage ? 'Created' : `${subject} added`]
  // Someone who was taken off a deal is not deleted.
  if (change.verb === 'delete') {
    return [did(change.table_name === 'deal_contacts' ? 'removed' : 'deleted')]
  }
  const sentences = [
    ...actionsIn(change).map(did),
    ...columnChanges(change, where.timeZone).map((words) =>
      isOfPage ? words : `${subject}: ${small(words)}`,
    ),
    ...listChanges(change).map((words) => (isOfPage ? words : `${subject}: ${small(words)}`)),
    ...ownChanges(change).map((words) => (isOfPage ? words : `${subject}: ${words}`)),
  ]
  return sentences.length > 0 ? sentences : [did('changed')]
}

/** Turns an undo into the change that it undid. */
function inverted(change: LoggedChange): LoggedChange {
  const opposite = { insert: 'delete', delete: 'insert', update: 'update' } as const
  return {
    ...change,
    verb: opposite[change.verb],
    before: change.after,
    after: change.before,
  }
}

function membership({ verb, label }: LoggedChange, { page }: Where): string {
  const what = label ? `collection ${clipped(label)}` : 'a collection'
  const words = verb === 'delete' ? `removed from ${what}` : `added to ${what}`
  return page?.table === 'contacts' ? capital(words) : `Contact ${words}`
}

/** The words for a special update, such as completing a task or moving a deal. */
function actionsIn(change: LoggedChange): string[] {
  const { table_name, after } = change
  if (table_name === 'tasks' && after && 'completed' in after) {
    return [after.completed ? 'completed' : 'reopened']
  }
  if (table_name === 'deals' && after && 'stage_id' in after) return movement(change, after)
  // With another currency, or when a deal is closed, the rate follows by itself.
  if (table_name === 'deals' && after && 'rate' in after && Object.keys(after).length === 1) {
    return [`rate changed from ${rateOf(change.before)} to ${rateOf(after)}`]
  }
  return []
}

function rateOf(values: Values | null): string {
  return typeof values?.rate === 'number' ? shownNumber(values.rate, 6) : 'none'
}

function movement(change: LoggedChange, after: Values): string[] {
  const from = linkName(change, change.before?.stage_id)
  const to = linkName(change, after.stage_id)
  const outcome = outcomeNamed(to)
  // Moving to the same outcome in another pipeline is not a new outcome.
  const isNew = outcome !== outcomeNamed(from)
  if (outcome === 'won' && isNew) return ['marked as won']
  if (outcome === 'lost' && isNew) {
    const reason = clipped(String(after.lost_reason ?? ''))
    return [reason ? `marked as lost: ${reason}` : 'marked as lost']
  }
  if (from && to) return from === to ? [] : [`moved from ${from} to ${to}`]
  if (to) return [`moved to ${to}`]
  // A change of the pipeline is described by its own sentence.
  return after.pipeline_id ? [] : [`taken out of ${from}`]
}

/** What became of fields of the user's own. They are called as they were then, also when they are gone. */
function ownChanges(change: LoggedChange): string[] {
  const { before, after } = change
  const nameOf = (id: string) => clipped(change.names?.[id] ?? 'A deleted field')
  return (
    Object.keys(after ?? {})
      .filter((name) => name.startsWith(ownPrefix))
      .map((name) => ({ name, id: name.slice(ownPrefix.length) }))
      // Their ids have no order that means anything.
      .toSorted((one, other) => nameOrder.compare(nameOf(one.id), nameOf(other.id)))
      .flatMap(({ name, id }) => {
        const isMoney = change.names?.[`${id}.kind`] === 'money'
        const show = (value: unknown) =>
          isMoney && typeof value === 'number' ? toldMoney(value) : shownOwn(change, value)
        return setWords(nameOf(id), show(before?.[name]), show(after?.[name]))
      })
  )
}

function setWords(label: string, from: string, to: string): string[] {
  if (from && to) return [`${label} changed from ${from} to ${to}`]
  if (to) return [`${label} set to ${to}`]
  return from ? [`${label} removed (was ${from})`] : []
}

function columnChanges(change: LoggedChange, timeZone: string): string[] {
  const { table_name, before, after } = change
  return Object.entries(fieldsOf[table_name] ?? {}).flatMap(([name, field]) => {
    // `movement` describes a new stage.
    if (!after || !(name in after) || field.edit === 'never' || name === 'stage_id') return []
    if (isListKind(field.kind)) return []
    if ('stage_id' in after) {
      // `movement` covers the first pipeline, and the reason of a loss.
      if (name === 'pipeline_id' && after.stage_id && !before?.pipeline_id) return []
      if (name === 'lost_reason') return []
    }
    const label = wordsFor(field)
    const show = (values: Values | null) =>
      shownValue(change, field.kind, values?.[name], timeZone, currencyIn(values))
    const [from, to] = [show(before), show(after)]
    // A currency is told with its amount, and by itself only where it is another.
    if (field.kind === 'currency' && (from === to || 'value' in after)) return []
    if (field.kind === 'tags') return tagWords(before?.[name], after[name])
    if (field.kind === 'long text')
      return [`${label} ${from ? (to ? 'changed' : 'removed') : 'added'}`]
    return setWords(label, from, to)
  })
}

/** What became of lists of addresses, numbers and links. */
function listChanges({ table_name, before, after }: LoggedChange): string[] {
  const fields = fieldsOf[table_name] ?? {}
  return listsOf(fields).flatMap(([list, { kind }]) => {
    if (!after || !(list in after)) return []
    const first = firstOf(fields, list)
    // The first one is told by its own field.
    const told = first && first in after ? [before?.[first], after[first]] : []
    return entryChanges(kind, entriesOf(before?.[list]), entriesOf(after[list]), told)
  })
}

/** 'Tags VIP, Press added': what became of tags, of which a record has many. */
function tagWords(before: unknown, after: unknown): string[] {
  const [had, has] = [before, after].map((tags) => (Array.isArray(tags) ? tags.map(String) : []))
  const words = (tags: string[], verb: string) =>
    tags.length > 0
      ? [`${tags.length > 1 ? 'Tags' : 'Tag'} ${clipped(tags.join(', '))} ${verb}`]
      : []
  const [added, removed] = [tagsWithout(has ?? [], had ?? []), tagsWithout(had ?? [], has ?? [])]
  const sentences = [...words(added, 'added'), ...words(removed, 'removed')]
  // Another spelling or order of the same tags.
  return sentences.length > 0 ? sentences : ['Tags changed']
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function small(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
