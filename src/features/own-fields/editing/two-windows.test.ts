import { afterEach, expect, test, vi } from 'vitest'
import type { OwnField } from '#domain/fields/own.ts'
import { beginSession } from '#lib/test-session.ts'
import { changeField } from './queries.ts'

const option = (id: string, name: string) => ({ id, name, color: 'gray' })
const [gold, silver, tin] = [option('~a', 'Gold'), option('~b', 'Silver'), option('~c', 'Tin')]
const field: OwnField = {
  ...{ id: 'f', record: 'contacts', name: 'Metal', kind: 'choice', position: 1, is_hidden: false },
  options: [gold, silver],
}

afterEach(() => vi.restoreAllMocks())

test('two windows that change the options of one field both keep what they did', async () => {
  const endSession = beginSession()
  // Another window has added one, and adds the next between the read and the write of this one.
  let stored = { options: [gold, silver, tin], updated_at: '2026-11-15T00:00:01+00:00' }
  const later = { options: [...stored.options, option('~d', 'Lead')], updated_at: '…02+00:00' }
  let writes = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (init?.method !== 'PATCH') return Response.json([stored])
    writes += 1
    if (writes === 1) stored = later
    const seen = new URL(String(input), location.href).searchParams.get('updated_at')
    if (seen !== `eq.${stored.updated_at}`) return Response.json([])
    stored = { ...stored, ...JSON.parse(String(init.body)) }
    return Response.json([{ id: 'f', updated_at: '…03+00:00' }])
  })
  const mine = { name: 'Metals', options: [option('~b', 'Argent'), gold] }
  expect(await changeField(field, mine)).toMatchObject({ id: 'f' })
  expect(stored).toMatchObject({
    name: 'Metals',
    options: [{ name: 'Argent' }, { name: 'Gold' }, { name: 'Tin' }, { name: 'Lead' }],
  })
  // A name alone is written as it was.
  await changeField(field, { name: 'Ore' }).catch(() => {})
  expect(writes).toBe(3)
  endSession()
})
