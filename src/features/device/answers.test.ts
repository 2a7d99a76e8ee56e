import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeviceRow } from '#domain/device-contacts.ts'
import { companyFields } from '#domain/fields/companies.ts'
import { storedRow } from '#domain/fields/row.ts'
import { checked, pageOf } from '#lib/answers.ts'
import { answerOf } from './answers.ts'
import { contactsKey, forgetLoaded, listKey, partKey, shape } from './kept-data.ts'

// jsdom has no IndexedDB.
const kept = vi.hoisted(() => new Map<string, unknown>())
vi.mock('#lib/device-store.ts', () => ({
  deviceStore: () => ({
    get: async (key: string) => kept.get(key),
    getMany: async (keys: string[]) => keys.map((key) => kept.get(key)),
  }),
}))

function contact(id: string, first: string, day: number, company: string | null = null): DeviceRow {
  const at = `2026-11-0${day}T00:00:00+00:00`
  return [id, first, null, `${first}@x.example`, null, company, null, null, 'New', at, null, null]
}

const stage = { id: 's1', name: 'Lead', outcome: 'open', win_probability: 50 }
const deals = [
  {
    id: 'd1',
    name: 'Big',
    value: 100,
    currency: null,
    rate: null,
    pipeline_id: 'p',
    stage_id: 's1',
    order: 2,
  },
  {
    id: 'd2',
    name: 'Small',
    value: 10,
    currency: 'EUR',
    rate: 2,
    pipeline_id: 'p',
    stage_id: 's1',
    order: 1,
  },
  {
    id: 'd3',
    name: 'Odd',
    value: 5,
    currency: 'GBP',
    rate: null,
    pipeline_id: 'p',
    stage_id: null,
    order: 0,
  },
]
const tasks = [
  {
    id: 't1',
    title: 'Call',
    due_date: '2020-01-01T00:00:00+00:00',
    contact_id: 'a',
    priority: 'high',
  },
  {
    id: 't2',
    title: 'Write',
    due_date: '2999-01-01T00:00:00+00:00',
    contact_id: 'b',
    priority: 'low',
  },
]

beforeEach(() => {
  const rows = [contact('a', 'Ada', 1, 'c'), contact('b', 'Bob', 3), contact('c', 'Cleo', 2)]
  kept.set(contactsKey, { shape, starts: ['a', 'c'], marks: [], wholeAt: 0, at: 42 })
  kept.set(partKey(0), JSON.stringify(rows.slice(0, 2)))
  kept.set(partKey(1), JSON.stringify(rows.slice(2)))
  kept.set(listKey('deals'), JSON.stringify({ at: 43, rows: deals }))
  kept.set(listKey('tasks'), JSON.stringify({ at: 44, rows: tasks }))
  kept.set(listKey('pipelines'), JSON.stringify({ at: 43, rows: [{ id: 'p', stages: [stage] }] }))
})
afterEach(() => {
  kept.clear()
  forgetLoaded()
})

type Rows = { rows: { id: string }[]; next: { id: string } | null }
async function page(name: string, asked: object) {
  const recalled = await answerOf('u', name, asked)
  const { rows, next } = (recalled?.answer ?? { rows: [], next: null }) as Rows
  return { ids: rows.map(({ id }) => id), next, at: recalled?.at }
}

test('contacts in the order of the list, page after page, with the time they were read', async () => {
  const asked = { filter: {}, sort: 'created', descending: true, page_size: 2 }
  const first = await page('contact_page', asked)
  expect(first).toMatchObject({ ids: ['b', 'c'], at: 42 })
  expect(await page('contact_page', { ...asked, after: first.next })).toMatchObject({
    ids: ['a'],
    next: null,
  })
  const byName = { filter: { company: 'none' }, sort: 'name', descending: true }
  expect((await page('contact_page', byName)).ids).toEqual(['c', 'b'])
  expect((await page('contact_page', { filter: { ids: ['a'] } })).ids).toEqual(['a'])
})

test('what the device does not know is not answered', async () => {
  expect(await answerOf('u', 'contact_page', { filter: { collection: 'x' } })).toBeNull()
  expect(await answerOf('u', 'task_page', { filter: { status: 'completed' } })).toBeNull()
  expect(await answerOf('u', 'update_contacts', {})).toBeNull()
  kept.delete(contactsKey)
  forgetLoaded()
  expect(await answerOf('u', 'contact_page', {})).toBeNull()
})

test('a company is chosen among those of the contacts; the list of companies is not answered', async () => {
  const rows = ['Zeta', 'Ärzte GmbH', 'Zeta'].map((name, place): DeviceRow => {
    const row = contact(`${place}`, 'Ada', 1, `k${place % 2}`)
    row[6] = name
    return row
  })
  kept.set(partKey(0), JSON.stringify(rows))
  kept.set(contactsKey, { ...Object(kept.get(contactsKey)), at: 99 })
  const companyPage = pageOf(storedRow(companyFields))
  const choices = async (filter: object, page_size = 20) => {
    const asked = { filter: { ...filter }, sort: 'name', page_size }
    const recalled = await answerOf('u', 'company_page', asked)
    // Checked as the field that asks for it does.
    return recalled && checked(companyPage, recalled.answer).rows.map(({ name }) => name)
  }
  expect(await choices({})).toEqual(['Ärzte GmbH', 'Zeta'])
  expect(await choices({ search: 'arzte' })).toEqual(['Ärzte GmbH'])
  expect(await choices({ ids: ['k0'] }, 1)).toEqual(['Zeta'])
  expect(await choices({ ids: ['other'] }, 1)).toBeNull()
  expect(await choices({}, 60)).toBeNull()
})

test('contacts that are kept a moment after they were asked for are found at once', async () => {
  const contents = kept.get(contactsKey)
  kept.delete(contactsKey)
  expect(await answerOf('u', 'contact_count', {})).toBeNull()
  kept.set(contactsKey, contents)
  expect((await answerOf('u', 'contact_count', {}))?.answer).toBe(3)
})

test('what another version has laid out differently is not read', async () => {
  kept.set(contactsKey, { shape: shape + 1, starts: ['a'], marks: [], wholeAt: 0, at: 1 })
  expect(await answerOf('u', 'contact_page', {})).toBeNull()
})

test('the board: columns in their order, sums in the account’s currency, and what has no rate', async () => {
  const recalled = await answerOf('u', 'deal_board', { pipeline: 'p', filter: {} })
  expect(recalled?.answer).toMatchObject([
    { stage_id: null, count: 1, sum: '0.00', uncounted: { GBP: 1 } },
    {
      stage_id: 's1',
      count: 2,
      sum: '120.00',
      weighted: '60.00',
      rows: [{ id: 'd2' }, { id: 'd1' }],
    },
  ])
})

test('tasks by what they are about, and overdue ones', async () => {
  expect((await page('task_page', { filter: { contact: 'b' }, sort: 'due' })).ids).toEqual(['t2'])
  expect((await page('task_page', { filter: { status: 'overdue' }, sort: 'due' })).ids).toEqual([
    't1',
  ])
})

test('a search finds contacts, deals and tasks, the best first', async () => {
  const recalled = await answerOf('u', 'search_everything', { words: 'b' })
  const hits = recalled?.answer as { id: string; kind: string }[]
  expect(hits.map(({ id }) => id)).toEqual(['b', 'd1'])
})
