import { expect, test } from 'vitest'
import type { AnyDatabase } from '../backend/request-context.ts'
import { sendRows } from './rows.ts'
import type { MovedTable } from './tables.ts'

const table: MovedTable = {
  name: 'private.file_parts',
  place: 'private.file_parts',
  columns: ['id', 'bytes'],
  keys: [{ name: 'id', type: 'bigint' }],
}

/** A table of rows of these sizes, and a target; no more of both than sendRows asks for. */
function twoDatabases(sizes: number[]) {
  const sent: { number: number; key: string; count: number; bytes: number }[] = []
  const answering = (answer: (text: string, values: unknown[]) => unknown[]) =>
    ({
      executeQuery: async ({ sql, parameters }: { sql: string; parameters: unknown[] }) => ({
        rows: answer(sql, parameters),
      }),
    }) as unknown as AnyDatabase
  const source = answering((text, [after = '0']) => {
    const most = Number(/limit (\d+)$/.exec(text)?.[1])
    const from = Number(after)
    return sizes.slice(from, from + most).map((size, place) => ({
      row: 'x'.repeat(size),
      key: JSON.stringify([String(from + place + 1)]),
    }))
  })
  const target = answering((text, [, number, key, count, rows]) => {
    if (text.startsWith('insert')) {
      const bytes = String(rows).length
      sent.push({ number: Number(number), key: String(key), count: Number(count), bytes })
      return []
    }
    const last = sent.at(-1)
    if (!last) return []
    const total = sent.reduce((sum, each) => sum + each.count, 0)
    return [{ number: last.number, last_key: last.key, total }]
  })
  return { sent, source, target }
}

test('parts grow with what rows weigh, and never hold many large ones, at the start and after a cut', async () => {
  const large = Array.from({ length: 120 }, (_, n) => (n < 5 ? 900_000 : n < 10 ? 20 : 900_000))
  const files = twoDatabases(large)
  const one = { ...files, source: twoDatabases(large.slice(0, 30)).source }
  await sendRows(one.source, one.target, table, () => {})
  let arrived = 0
  await sendRows(files.source, files.target, table, (count) => {
    arrived = count
  })
  expect(arrived).toBe(120)
  expect(files.sent.reduce((sum, { count }) => sum + count, 0)).toBe(120)
  expect(files.sent[0]?.count).toBe(1)
  expect(Math.max(...files.sent.map(({ bytes }) => bytes))).toBeLessThan(8_000_000)

  const small = twoDatabases(Array.from({ length: 12_000 }, () => 300))
  await sendRows(small.source, small.target, table, () => {})
  expect(small.sent.length).toBeLessThan(12)
  expect(small.sent.reduce((sum, { count }) => sum + count, 0)).toBe(12_000)
})
