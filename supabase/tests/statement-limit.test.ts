import { expect, test } from 'vitest'
import { limitOf, readStatementLimits } from '#server/backend/statement-limits.ts'
import { type Account, eventually, ok, onEachDatabase } from './harness.ts'

onEachDatabase(
  (database) => {
    /** Not through the client, which would ask again by itself. */
    const ask = ({ token }: Account, init: RequestInit = {}) =>
      database().backend.fetch(
        new Request('http://127.0.0.1:3000/rest/v1/companies?select=name', {
          ...init,
          headers: {
            apikey: database().backend.publicKey,
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
          },
        }),
        null,
      )
    /** A write that never ends by itself. */
    const writeSlowly = (account: Account) =>
      ask(account, { method: 'POST', body: JSON.stringify({ name: 'slow' }) })

    test('a statement that takes too long is stopped in words; the account that does it again waits, and nobody else', async () => {
      await database().query(`
        create function private.take_long() returns trigger language plpgsql as $$
        begin
          if new.name = 'slow' then
            -- PGlite sleeps by looking at the clock: there both cost the same.
            perform pg_sleep(600);
          end if;
          return new;
        end
        $$`)
      await database().query(
        'create trigger take_long before insert on public.companies for each row execute function private.take_long()',
      )
      // On a busy machine the first of its kind may take longer than the limit, which would be counted.
      await eventually(async () => {
        const { client } = await database().signUp()
        await ok(client.from('companies').insert({ name: 'first' }).select())
        await ok(client.from('companies').select('name'))
      })
      const [slow, other] = [await database().signUp(), await database().signUp()]
      await ok(slow.client.from('companies').insert({ name: 'kept' }).select())
      const health = await database().backend.health()

      const stopped = writeSlowly(slow)
      const meanwhile = other.client.from('companies').insert({ name: 'quick' }).select('name')
      const answer = await stopped
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await answer.json()).toMatchObject({
        code: '57014',
        message: 'This took too long and was stopped. Nothing was saved.',
      })
      expect(await ok(meanwhile)).toEqual([{ name: 'quick' }])
      // The first time may be bad luck.
      expect(await ok(slow.client.from('companies').select('name'))).toEqual([{ name: 'kept' }])

      expect((await writeSlowly(slow)).status).toBe(503)
      const refused = await ask(slow)
      expect([refused.status, (await refused.json()).message]).toEqual([
        503,
        expect.stringMatching(
          /^What you asked for took too long, more than once\. .* try again in \d+ seconds\.$/,
        ),
      ])
      expect(await ok(other.client.from('companies').select('name'))).toEqual([{ name: 'quick' }])
      // Only the embedded database has to be opened anew for it.
      const restarts = health.restarts === undefined ? undefined : health.restarts + 2
      expect((await database().backend.health()).restarts).toBe(restarts)
    })

    test('what takes longer says so at its function', async () => {
      const limits = await readStatementLimits(database().connection, 10_000)
      expect(limitOf(limits, '/rest/v1/rpc/commit_import')).toBe(300_000)
      expect(limitOf(limits, '/rest/v1/rpc/contact_page')).toBe(10_000)
      expect(limitOf(limits, '/rest/v1/contacts')).toBe(10_000)
    })
  },
  // Long enough for what is quick on a busy machine.
  { statementLimit: 2000 },
)
