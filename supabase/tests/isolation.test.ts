import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { AnyDatabase } from '#server/backend/request-context.ts'
import { isLong } from '#server/test-length.ts'
import { ok, onEachDatabase } from './harness.ts'

const turns = isLong ? 25 : 3

onEachDatabase((database) => {
  test('requests of many users at the same time never meet in one transaction', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => database().signUp()))
    await Promise.all(
      accounts.flatMap((account) =>
        Array.from({ length: turns }, async (_, turn) => {
          const name = `${account.id} ${turn}`
          const added = await ok(
            account.client.from('companies').insert({ name }).select().single(),
          )
          expect(added.user_id).toBe(account.id)
          const seen = await ok(account.client.from('companies').select('user_id'))
          expect(new Set(seen.map((row) => row.user_id))).toEqual(new Set([account.id]))
          // A refused write must roll back its own transaction and nobody else's.
          expect(await account.client.from('companies').insert({ name: '' })).toMatchObject({
            status: 400,
          })
        }),
      ),
    )
    for (const account of accounts) {
      expect(await ok(account.client.from('companies').select('id'))).toHaveLength(turns)
      expect(await ok(account.client.from('changes').select('id'))).toHaveLength(turns)
    }
  })

  test('a request that takes its time keeps its role and its claims', async () => {
    const [slow, quick] = [crypto.randomUUID(), crypto.randomUUID()]
    const { connection } = database()
    const whoAmI = async (db: AnyDatabase) => {
      const { rows } = await sql<{ id: string }>`select auth.uid() as id`.execute(db)
      return rows[0]?.id
    }
    const as = (uid: string, before: () => Promise<void>) =>
      connection.withContext({ auth: { uid, role: 'service_role' } }, async (db) => {
        await before()
        return whoAmI(db)
      })
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    // The slow one has begun and now waits while the quick one comes in.
    const first = as(slow, async () => {
      begin()
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    await begun
    expect(await Promise.all([first, as(quick, async () => {})])).toEqual([slow, quick])
  })

  test('no request leaves its role or its claims behind', async () => {
    const { client } = await database().signUp()
    await ok(client.from('companies').select())
    const [now] = await database().query<{ role: string; sub: string | null }>(
      "select current_user as role, nullif(current_setting('request.jwt.claim.sub', true), '') as sub",
    )
    expect(now?.role).not.toBe('authenticated')
    expect(now?.sub).toBeNull()
  })

  test('a reading call of a function cannot write', async () => {
    const { client } = await database().signUp()
    const answer = await client.rpc('create_pipeline', { name: 'x' }, { get: true })
    expect(answer).toMatchObject({ status: 405, error: { code: '25006' } })
    expect(await ok(client.from('pipelines').select())).toHaveLength(1)
  })

  test('rights of columns hold after many requests', async () => {
    const account = await database().signUp()
    for (let turn = 0; turn < 3; turn++) await ok(account.client.from('contacts').select())
    const forged = { first_name: 'x', created_at: '2000-01-01' } as never
    expect(await account.client.from('contacts').insert(forged)).toMatchObject({ status: 403 })
  })
})
