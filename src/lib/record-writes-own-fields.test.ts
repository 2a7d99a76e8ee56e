import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { type OwnValues, ownValues } from '#domain/fields/own-values.ts'
import { RecordConflict, recordWrites } from './record-writes.ts'
import { beginSession } from './test-session.ts'

const row = z.object({ id: z.string(), updated_at: z.string(), custom: ownValues })
type Row = z.output<typeof row>

const at = (minute: number, custom: OwnValues): Row => ({
  id: 'a',
  updated_at: `2026-11-17T08:0${minute}:00+00:00`,
  custom,
})

let endSession: () => void

beforeEach(() => {
  endSession = beginSession()
})
afterEach(() => {
  vi.restoreAllMocks()
  endSession()
})

/** The database has this version; a write over any other finds no row. */
function stored(current: Row) {
  const sent: unknown[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    sent.push(JSON.parse(String(init?.body)))
    const address = decodeURIComponent(String(input instanceof Request ? input.url : input))
    const isOver = address.includes(current.updated_at.slice(0, 16))
    return Response.json(isOver ? [{ ...current, updated_at: '2026-11-17T09:00:00+00:00' }] : [])
  })
  const writes = recordWrites<Row, Row, { custom: Record<string, string | null> }>({
    table: 'contacts',
    row,
    read: async () => current,
  })
  return { sent, writes }
}

test('another window changed another field of the user’s own: no conflict, it saves over that version', async () => {
  const { sent, writes } = stored(at(2, { mine: 'old', theirs: 'new' }))
  await writes.update(at(1, { mine: 'old', theirs: 'old' }), { custom: { mine: 'typed' } })
  expect(sent).toEqual([{ custom: { mine: 'typed' } }, { custom: { mine: 'typed' } }])
})

test('another window changed the same field: both versions are to be compared', async () => {
  const current = at(2, { mine: 'theirs' })
  const { sent, writes } = stored(current)
  const write = writes.update(at(1, { mine: 'old' }), { custom: { mine: null } })
  await expect(write).rejects.toThrow(RecordConflict)
  expect(sent).toHaveLength(1)
})
