import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { ServerConnection } from '#server/backend/connections.ts'
import { withShare } from '#server/backend/request-share.ts'

const url = inject('postgresUrl')

// Of the embedded database: server/backend/embedded/thread.test.ts.
describe.runIf(url)('a PostgreSQL server', () => {
  test('an answer longer than anybody needs is refused, alone and in a transaction, and the next one comes', async () => {
    const connection = new ServerConnection(url ?? '')
    onTestFinished(() => connection.close())
    const database = connection.kysely
    const long = sql`select repeat('x', 70 * 1024 * 1024)`
    const asked = [
      () => long.execute(database),
      () => database.transaction().execute((transaction) => long.execute(transaction)),
    ]
    for (const ask of asked) {
      const answer = withShare({ who: 'an account', limit: 10_000 }, ask)
      await expect(answer).rejects.toMatchObject({ code: '53400' })
      const { rows } = await sql`select 1 as one`.execute(database)
      expect(rows).toEqual([{ one: 1 }])
    }
  })
})
