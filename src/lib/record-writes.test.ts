import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { RecordConflict, recordWrites } from './record-writes.ts'
import { beginSession } from './test-session.ts'

const row = z.object({
  id: z.string(),
  name: z.string(),
  location: z.string(),
  updated_at: z.string(),
})
type Row = z.output<typeof row>

/** The table, with one row at most, as the backend would keep it. */
let stored: Row | null
let version: number
/** Called before a request is answered. */
let beforeAnswer: (() => Promise<void>) | null
/** The next answer gets lost: the backend has done it. */
let losesAnswer: boolean

let endSession: () => void

function save(values: Partial<Row>): Row {
  version += 1
  const before = stored ?? { id: 'c', name: '', location: '' }
  stored = { ...before, ...values, updated_at: `2026-11-15T00:00:0${version}+00:00` }
  return stored
}

function answerTo(method: string, url: URL, values: Partial<Row>): Response {
  const seen = url.searchParams.get('updated_at')?.slice('eq.'.length)
  if (method === 'POST') {
    if (stored) return Response.json({ code: '23505', message: 'duplicate key' }, { status: 409 })
    return Response.json(save(values), { status: 201 })
  }
  if (!stored || (seen && seen !== stored.updated_at)) return Response.json([])
  if (method === 'DELETE') {
    const { id } = stored
    stored = null
    return Response.json([{ id }])
  }
  return Response.json([save(values)])
}

beforeEach(() => {
  endSession = beginSession()
  stored = null
  version = 0
  beforeAnswer = null
  losesAnswer = false
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const values = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    await beforeAnswer?.()
    const answer = answerTo(init?.method ?? 'GET', new URL(String(input), location.href), values)
    if (!losesAnswer) return answer
    losesAnswer = false
    throw new TypeError('Failed to fetch')
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  endSession()
})

const writes = recordWrites<Row, Row, { name: string; location: string }>({
  table: 'companies',
  row,
  read: async () => stored,
})

test('a create whose answer got lost is not made twice, and stores what the form holds now', async () => {
  losesAnswer = true
  await expect(writes.create('c', { name: 'Acme', location: '' })).rejects.toBeTruthy()
  expect(stored).toMatchObject({ name: 'Acme' })
  const answer = await writes.create('c', { name: 'Acme Inc', location: '' })
  expect(answer).toMatchObject({ id: 'c', name: 'Acme Inc' })
  expect(stored).toEqual(answer)
})

test('what another window has changed is told with its version, and overwritten only by force', async () => {
  const seen = save({ name: 'Acme', location: 'Berlin' })
  const theirs = save({ name: 'Theirs' })
  const refused = await writes.update(seen, { name: 'Mine' }).catch((error) => error)
  expect(refused).toBeInstanceOf(RecordConflict)
  expect(refused.current).toEqual(theirs)
  expect(stored).toEqual(theirs)
  await writes.force(seen, { name: 'Mine' })
  expect(stored).toMatchObject({ name: 'Mine', location: 'Berlin' })
})

test('another field that another window has changed is no conflict, and stays', async () => {
  const seen = save({ name: 'Acme', location: 'Berlin' })
  save({ location: 'Rome' })
  await writes.update(seen, { name: 'Mine' })
  expect(stored).toMatchObject({ name: 'Mine', location: 'Rome' })
})

test('edited in a hurry, the last one counts, whatever another window changed beside it', async () => {
  const seen = save({ name: 'Acme', location: 'Berlin' })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  beforeAnswer = () => held
  const first = writes.update(seen, { name: 'One' })
  // The user sees the optimistic update of the first.
  const second = writes.update({ ...seen, name: 'One' }, { name: 'Two' })
  const third = writes.update({ ...seen, name: 'Two' }, { location: 'Oslo' })
  save({ location: 'Berlin' })
  release()
  await Promise.all([first, second, third])
  expect(stored).toMatchObject({ name: 'Two', location: 'Oslo' })
})

test('a record that another window has deleted is neither changed nor deleted', async () => {
  const seen = save({ name: 'Acme', location: '' })
  stored = null
  const gone = 'This record no longer exists.'
  await expect(writes.update(seen, { name: 'Mine' })).rejects.toMatchObject({ message: gone })
  await expect(writes.remove('c')).rejects.toMatchObject({ message: gone })
})

test('a write of more than a row goes its own way, with the version that was seen, and asks about conflicts alike', async () => {
  const sent: unknown[] = []
  const theirs = { id: 'c', name: 'Theirs', location: 'Bonn', updated_at: '2' }
  const answers: (Row | null)[] = []
  const own = recordWrites<Row, Row, Partial<Row> & { people?: string[] }>({
    table: 'companies',
    row,
    read: async () => theirs,
    special(write) {
      if (!write.values.people) return null
      sent.push(write)
      return Promise.resolve(answers.shift() ?? null)
    },
  })
  const mine = { id: 'c', name: 'Mine', location: 'Bonn', updated_at: '1' }
  answers.push(mine)
  await own.create('c', { name: 'Mine', people: ['Ada'] })
  expect(sent).toEqual([{ id: 'c', values: { name: 'Mine', people: ['Ada'] }, isNew: true }])
  // Another window has changed the place alone: who is on it is no part of the row, and the name is as seen.
  answers.push(null, { ...theirs, location: 'Köln' })
  await own.update({ ...theirs, updated_at: '1' }, { location: 'Köln', people: ['Bob'] })
  expect(sent.slice(1)).toMatchObject([
    { isNew: false, seen: '1' },
    { isNew: false, seen: '2' },
  ])
  answers.push(null)
  await expect(own.update(mine, { name: 'Other', people: [] })).rejects.toThrow(RecordConflict)
})
