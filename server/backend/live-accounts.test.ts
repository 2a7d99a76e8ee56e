import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestConnection } from './connections.ts'
import { followAccounts, type News } from './live-accounts.ts'

const account = '00000000-0000-4000-8000-000000000001'

/** The database as these looks see it: a mark, and how long it takes to answer. */
const database = { mark: 'one', isAway: false, before: async () => {} }

async function answer(query: string): Promise<QueryResult<unknown>> {
  await database.before()
  if (database.isAway) throw new Error('The database is away.')
  const isOfSessions = query.includes('auth.sessions')
  return { rows: isOfSessions ? [{ id: 's' }] : [{ account, mark: database.mark }] }
}

const kysely = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => ({
        executeQuery: <Row>({ sql }: { sql: string }) => answer(sql) as Promise<QueryResult<Row>>,
        async *streamQuery() {},
      }),
      beginTransaction: async () => {},
      commitTransaction: async () => {},
      rollbackTransaction: async () => {},
      releaseConnection: async () => {},
      destroy: async () => {},
    }),
  },
})

let onGap = () => {}
// Only what these looks use.
const connection = {
  kysely,
  hear(listener: { onGap: () => void }) {
    onGap = listener.onGap
    return async () => {}
  },
} as unknown as RequestConnection

let close = async () => {}
let told: News[] = []
beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  Object.assign(database, { mark: 'one', isAway: false, before: async () => {} })
  told = []
  const accounts = followAccounts(connection, { jwtSecret: 'x' }, { pause: 5 })
  accounts.follow({ account, session: 's', onNews: (news) => told.push(news), onEnd: () => {} })
  close = accounts.close
})
afterEach(async () => {
  await close()
  vi.restoreAllMocks()
})

test('a gap is looked at until the database has answered', async () => {
  database.isAway = true
  onGap()
  await vi.waitFor(() =>
    expect(vi.mocked(process.stderr.write).mock.calls.length).toBeGreaterThan(1),
  )
  expect(told).toEqual([])
  database.isAway = false
  await vi.waitFor(() => expect(told).toEqual([{ tables: null, batch: null, window: null }]))
})

test('a gap that comes during a look is looked at after it', async () => {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let asked = 0
  database.before = () => {
    asked += 1
    return held
  }
  onGap()
  await vi.waitFor(() => expect(asked).toBe(1))
  // What the look is about to be told may be older than this gap.
  onGap()
  goOn()
  // Each look asks for sessions and for marks.
  await vi.waitFor(() => expect(asked).toBe(4))
})
