import { contactName } from '#domain/contact.ts'
import { dayOf } from '#domain/dates.ts'
import { type DeviceRow, foundIn, matcher, rankOf } from '#domain/device-contacts.ts'
import { contactOrder, contactSorts } from '#domain/fields/contacts.ts'
import { dealOrder } from '#domain/fields/deals.ts'
import { taskOrder } from '#domain/fields/tasks.ts'
import { fold } from '#domain/fold.ts'
import type { Recalled } from '#lib/device-answers.ts'
import { deviceStore } from '#lib/device-store.ts'
import { contactsOf, type KeptContacts, loadList } from './kept-data.ts'

type Filter = Record<string, unknown>
type Asked = {
  filter?: Filter
  sort?: string
  descending?: boolean
  after?: { id?: string } | null
  page_size?: number
  words?: string
  pipeline?: string
  stage?: string | null
}

/** A card of a deal or a task as lists show it; the screens check it as they check the server's answers. */
type Card = {
  id: string
  [field: string]: unknown
}

/**
 * Answers the reads of lists, boards and searches by what this device keeps; null where it cannot, such as for a filter
 * by what it does not know.
 */
export async function answerOf(
  account: string,
  name: string,
  asked: Asked,
): Promise<Recalled | null> {
  const answer = answers[name]
  return answer ? answer(account, asked) : null
}

const answers: Record<string, (account: string, asked: Asked) => Promise<Recalled | null>> = {
  contact_page: contactPage,
  contact_count: async (account, asked) => {
    const found = await contactsFound(account, asked)
    return found && { answer: found.rows.length, at: found.kept.at }
  },
  deal_page: (account, asked) =>
    ofDeals(account, asked, (rows) => {
      const order = orderOf(
        (sort: Parameters<typeof dealOrder>[0], down) => dealOrder(sort, down, []),
        asked,
      )
      return pageOf(rows.toSorted(order), asked, idOf)
    }),
  deal_totals: (account, asked) => ofDeals(account, asked, figuresOf),
  deal_board: board,
  pipeline_list: async (account) => {
    const kept = await loadList(deviceStore(account), 'pipelines')
    return kept && { answer: kept.rows, at: kept.at }
  },
  task_page: (account, asked) =>
    ofTasks(account, asked, (rows) =>
      pageOf(rows.toSorted(orderOf(taskOrder, asked)), asked, idOf),
    ),
  task_count: (account, asked) => ofTasks(account, asked, ({ length }) => length),
  search_everything: search,
}

/** Null when a filter asks for more than the device knows. */
function knownFilter<Key extends string>(
  filter: Filter,
  keys: readonly Key[],
): Partial<Record<Key, unknown>> | null {
  return Object.keys(filter).every((key) => keys.some((each) => each === key))
    ? (filter as Partial<Record<Key, unknown>>)
    : null
}

const holds = (list: unknown, value: unknown) => !Array.isArray(list) || list.includes(value)
const isNot = (list: unknown, value: unknown) => !Array.isArray(list) || !list.includes(value)
const isSame = (wanted: unknown, value: unknown) =>
  wanted === undefined || (wanted === 'none' ? value === null : wanted === value)

/** The page that begins after a cursor, which names the last row before it. */
function pageOf<Row>(
  rows: Row[],
  { after, page_size = 50 }: Asked,
  idOf: (row: Row) => string,
): { rows: Row[]; next: { key: null; id: string } | null } {
  const start = after ? rows.findIndex((row) => idOf(row) === after.id) + 1 : 0
  const page = rows.slice(start, start + page_size)
  const last = page.at(-1)
  const isLast = start + page_size >= rows.length || last === undefined
  return { rows: page, next: isLast ? null : { key: null, id: idOf(last) } }
}

const idOf = ({ id }: Card) => id

type Order<Sort> = (sort: Sort, descending: boolean) => (one: never, other: never) => number

function orderOf<Sort>(order: Order<Sort>, { sort, descending }: Asked) {
  // Cards hold what their lists are sorted by.
  return order(sort as Sort, descending ?? false) as (one: Card, other: Card) => number
}

// Contacts ---------------------------------------------------------------------------------------------------

type FoundContacts = { rows: DeviceRow[]; kept: KeptContacts }

async function contactsFound(
  account: string,
  { filter = {} }: Asked,
): Promise<FoundContacts | null> {
  const keys = ['search', 'ids', 'except', 'company', 'lead_status', 'has_email', 'has_phone']
  const wanted = knownFilter(filter, keys)
  const kept = await contactsOf(account)
  if (!wanted || !kept) return null
  const found = wanted.search ? rowsFound(kept, `${wanted.search}`) : kept.rows
  const rows = found.filter(
    ([id, , , email, phone, company, , , status]) =>
      holds(wanted.ids, id) &&
      isNot(wanted.except, id) &&
      isSame(wanted.company, company) &&
      holds(wanted.lead_status, status) &&
      isSame(wanted.has_email, wanted.has_email === undefined ? undefined : email !== null) &&
      isSame(wanted.has_phone, wanted.has_phone === undefined ? undefined : phone !== null),
  )
  return { rows, kept }
}

/** The list whose pages were asked for last: a hundred thousand contacts take a second to order. */
let lastOrdered: { asked: string; kept: KeptContacts; rows: DeviceRow[] } | null = null

async function contactPage(account: string, asked: Asked): Promise<Recalled | null> {
  const found = await contactsFound(account, asked)
  if (!found) return null
  const { kept } = found
  const list = JSON.stringify([asked.filter, asked.sort, asked.descending])
  if (lastOrdered?.kept !== kept || lastOrdered.asked !== list)
    lastOrdered = { asked: list, kept, rows: inOrder(found.rows, asked) }
  const { rows, next } = pageOf(lastOrdered.rows, asked, ([id]) => id)
  return { answer: { rows: rows.map(cardOf), next }, at: kept.at }
}

function inOrder(rows: DeviceRow[], { sort, descending }: Asked): DeviceRow[] {
  // What the device does not know orders nothing.
  const known = ['created', 'name', 'email', 'phone', 'company', 'lead_status'] as const
  const by = known.find((each) => each === sort && contactSorts.includes(each)) ?? 'created'
  const compare = contactOrder(by, by === sort ? (descending ?? false) : true)
  return rows
    .map((row) => ({ ...sortable(row), row }))
    .sort(compare as (one: { id: string }, other: { id: string }) => number)
    .map(({ row }) => row)
}

function rowsFound({ rows, index }: KeptContacts, typed: string): DeviceRow[] {
  return foundIn(index, typed).flatMap((place) => rows.slice(place, place + 1))
}

function sortable(row: DeviceRow) {
  const [id, first_name, last_name, email, phone_number, , company_name, , lead_status] = row
  return {
    ...{ id, first_name, last_name, email, phone_number, company_name, lead_status },
    created_at: row[9],
    next_task: null,
  }
}

/** A contact as lists show it, with what the device knows. */
function cardOf(row: DeviceRow): Card {
  const [id, first_name, last_name, email, phone_number, company_id, company_name] = row
  const [, , , , , , , role_title, lead_status, created_at, emails, phones] = row
  const entries = (value: string | null) => (value ? [{ label: '', value }] : [])
  return {
    ...{ id, first_name, last_name, email, phone_number, company_id, company_name, role_title },
    ...{ lead_status, created_at, updated_at: created_at },
    emails: emails ?? entries(email),
    phones: phones ?? entries(phone_number),
    ...{ middle_name: null, nickname: null, addresses: [], links: [], birthday: null },
    ...{ birthday_reminder: null, lead_score: 0, tags: [], notes: null, custom: {} },
    ...{ last_contacted: null, next_task: null },
  }
}

// Deals ------------------------------------------------------------------------------------------------------

async function ofDeals(
  account: string,
  { filter = {} }: Asked,
  answer: (rows: Card[]) => unknown,
): Promise<Recalled | null> {
  const keys = ['search', 'ids', 'except', 'pipeline', 'stage', 'company', 'contact', 'time_zone']
  const wanted = knownFilter(filter, keys)
  const kept = await loadList(deviceStore(account), 'deals')
  if (!wanted || !kept) return null
  const words = fold(`${wanted.search ?? ''}`)
  const rows = (kept.rows as Card[]).filter(
    (deal) =>
      fold(`${deal.name}`).includes(words) &&
      holds(wanted.ids, deal.id) &&
      isNot(wanted.except, deal.id) &&
      isSame(wanted.pipeline, deal.pipeline_id) &&
      (Array.isArray(wanted.stage)
        ? wanted.stage.includes(deal.stage_id)
        : isSame(wanted.stage, deal.stage_id)) &&
      isSame(wanted.company, deal.company_id) &&
      isSame(wanted.contact, deal.contact_id),
  )
  return { answer: answer(rows), at: kept.at }
}

/** Count and sum; what has no rate is left out of the sum and told. */
function figuresOf(rows: Card[], probability = 100) {
  const uncounted: Record<string, number> = {}
  let cents = 0
  for (const { value, currency, rate } of rows) {
    if (typeof currency === 'string' && typeof rate !== 'number')
      uncounted[currency] = (uncounted[currency] ?? 0) + 1
    else cents += Math.round(Number(value) * (typeof rate === 'number' ? rate : 1) * 100)
  }
  const sum = (cents / 100).toFixed(2)
  const weighted = ((cents * probability) / 10_000).toFixed(2)
  return { count: rows.length, sum, weighted, uncounted }
}

type Stage = { id: string; name: string; outcome: string; win_probability: number }

/** The columns of a pipeline with the open deals; those that are closed are not on this device. */
async function board(account: string, asked: Asked): Promise<Recalled | null> {
  const pipelines = await loadList(deviceStore(account), 'pipelines')
  const known = pipelines?.rows as { id: string; stages: Stage[] }[] | undefined
  const pipeline = known?.find(({ id }) => id === asked.pipeline)
  if (!pipeline) return null
  const none = { id: null, name: null, outcome: 'open', win_probability: 0 }
  return ofDeals(account, { filter: { ...asked.filter, pipeline: pipeline.id } }, (deals) => {
    const byPlace = deals.toSorted((one, other) => Number(one.order) - Number(other.order))
    const columns = [none, ...pipeline.stages].map((stage) => {
      const rows = byPlace.filter(({ stage_id }) => stage_id === stage.id)
      const { id: stage_id, name: stage_name, outcome, win_probability } = stage
      const figures = figuresOf(rows, win_probability)
      return { stage_id, stage_name, outcome, win_probability, ...figures, rows, next: null }
    })
    return columns.filter(({ stage_id, count }) => stage_id !== null || count > 0)
  })
}

// Tasks ------------------------------------------------------------------------------------------------------

async function ofTasks(
  account: string,
  { filter = {} }: Asked,
  answer: (rows: Card[]) => unknown,
): Promise<Recalled | null> {
  const keys = ['search', 'ids', 'status', 'contact', 'company', 'deal', 'priority', 'at']
  const wanted = knownFilter(filter, [...keys, 'due_from', 'due_to', 'time_zone'])
  const kept = await loadList(deviceStore(account), 'tasks')
  if (!wanted || !kept || wanted.status === 'completed') return null
  const now = Date.now()
  const words = fold(`${wanted.search ?? ''}`)
  const timeZone = typeof wanted.time_zone === 'string' ? wanted.time_zone : 'UTC'
  const rows = (kept.rows as Card[]).filter((task) => {
    const due = task.due_date ? Date.parse(`${task.due_date}`) : null
    const day = due === null ? '' : dayOf(due, timeZone)
    return (
      fold(`${task.title}`).includes(words) &&
      holds(wanted.ids, task.id) &&
      holds(wanted.priority, task.priority) &&
      isSame(wanted.contact, task.contact_id) &&
      isSame(wanted.company, task.company_id) &&
      isSame(wanted.deal, task.deal_id) &&
      (wanted.status !== 'overdue' || (due !== null && due < now)) &&
      (wanted.due_from === undefined || (day !== '' && day >= `${wanted.due_from}`)) &&
      (wanted.due_to === undefined || (day !== '' && day <= `${wanted.due_to}`))
    )
  })
  return { answer: answer(rows), at: kept.at }
}

// Search -----------------------------------------------------------------------------------------------------

const mostHits = 20

async function search(account: string, { words = '' }: Asked): Promise<Recalled | null> {
  const kept = await contactsOf(account)
  if (!kept) return null
  if (words.trim() === '') return { answer: [], at: kept.at }
  const matches = matcher(words)
  const store = deviceStore(account)
  const [deals, tasks] = await Promise.all([loadList(store, 'deals'), loadList(store, 'tasks')])
  const contacts = rowsFound(kept, words).map(
    ([id, first_name, last_name, email, phone_number, , about]) => {
      const title = contactName({ first_name, last_name })
      return { kind: 'contacts', id, title, about, email, phone_number }
    },
  )
  const foundDeals = (deals?.rows as Card[] | undefined)
    ?.filter(({ name }) => matches(fold(`${name}`)))
    .map(({ id, name, company_name, value, currency, stage_name }) => {
      const about = company_name ?? null
      return { kind: 'deals', id, title: `${name}`, about, value, currency, stage: stage_name }
    })
  const foundTasks = (tasks?.rows as Card[] | undefined)
    ?.filter(({ title }) => matches(fold(`${title}`)))
    .map(({ id, title, due_date, completed }) => {
      return { kind: 'tasks', id, title: `${title}`, about: null, due_date, completed }
    })
  const hits = [...contacts, ...(foundDeals ?? []), ...(foundTasks ?? [])]
    .map((hit) => ({ ...hit, rank: rankOf(hit.title, words) }))
    .sort((one, other) => one.rank - other.rank)
  return { answer: hits.slice(0, mostHits), at: kept.at }
}
