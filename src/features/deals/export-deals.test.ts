import { beforeEach, expect, test, vi } from 'vitest'
import { dealPeopleHeader } from '#domain/deal-csv.ts'
import { exportDeals } from './export-deals.ts'

const queries = vi.hoisted(() => ({ readAllDeals: vi.fn(), readDealPeople: vi.fn() }))
vi.mock('./queries.ts', () => queries)
vi.mock('#features/pipelines/index.ts', () => ({ readPipelines: async () => [] }))

type Saved = { header: string[]; parts: AsyncIterable<string[][]> }

const saved: string[][] = []
vi.mock('#lib/save-csv.ts', () => ({
  async saveCsv({ header, parts }: Saved) {
    saved.push(header)
    for await (const rows of parts) saved.push(...rows)
    return saved.length - 1
  },
}))

const ada = { first_name: 'Ada', last_name: null, email: 'ada@example.com' }
const bob = { id: 'b', role: 'decides', first_name: 'Bob', last_name: null, email: null }

beforeEach(() => {
  saved.length = 0
  vi.clearAllMocks()
  queries.readAllDeals.mockImplementation(async function* () {
    yield [{ id: '1', name: 'Engine', contact: ada, contact_id: 'a', tags: [] }]
    yield [{ id: '2', name: 'Loom', contact: null, contact_id: null, tags: [] }]
  })
  queries.readDealPeople.mockImplementation(async ([id]: string[]) =>
    id === '1' ? { 1: [bob] } : {},
  )
})

// Of a list only what it hands over is looked at here.
const view = {} as Parameters<typeof exportDeals>[0]

test('a file of all fields says everyone on each deal with their role; one of the columns that show does not', async () => {
  await exportDeals(view, 'all', 'UTC', {})
  expect(saved.map((row) => row.at(-1))).toEqual([
    dealPeopleHeader,
    'Ada <ada@example.com>; Bob (decides)',
    '',
  ])
  expect(queries.readDealPeople.mock.calls).toEqual([[['1']], [['2']]])

  saved.length = 0
  await exportDeals(view, ['tags'], 'UTC', {})
  expect(saved).toEqual([
    ['Deal', 'Tags'],
    ['Engine', ''],
    ['Loom', ''],
  ])
})
