import { statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, test } from 'vitest'
import { isLong } from './test-length.ts'
import { connectTo, newDataFolder, runBuilt } from './test-process.ts'
import { temporaryFolder } from './test-server.ts'

// Here one, and one in the middle of work of several rows in server/faults.test.ts.
const kills = isLong ? 50 : 1
const account = { email: 'ada@example.com', password: 'secret-1' }

async function namesIn(client: SupabaseClient): Promise<Set<string>> {
  const stored = new Set<string>()
  for (let from = 0; ; from += 1000) {
    const page = await client
      .from('companies')
      .select('name')
      .order('id')
      .range(from, from + 999)
    expect(page.error).toBeNull()
    for (const row of page.data ?? []) stored.add(row.name)
    if ((page.data?.length ?? 0) < 1000) return stored
  }
}

describe('the server on its data folder', () => {
  test(
    `keeps keys and folder to itself, while it runs also from a second server, everything through a restart, and killed in the middle of writes (times: ${kills}) every acknowledged row`,
    async () => {
      const dataDir = await newDataFolder()
      await chmod(dataDir, 0o755)
      const first = runBuilt(dataDir)
      const client = await connectTo(await first.ready)
      expect((await client.auth.signUp(account)).error).toBeNull()
      const acknowledged = new Set(['Acme'])
      expect((await client.from('companies').insert({ name: 'Acme' })).error).toBeNull()
      expect(statSync(dataDir).mode & 0o777).toBe(0o700)
      expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600)
      const second = await runBuilt(dataDir).ended
      expect(second.code).toBe(1)
      expect(second.err).toBe(
        `Another Solo CRM is running on ${dataDir}. Stop it first, or set DATA_DIR to a folder of its own.\n`,
      )
      first.child.kill('SIGTERM')
      expect(await first.ended).toMatchObject({ code: 0, err: '' })

      let sent = 0
      let onAcknowledged = () => {}
      async function writeUntilKilled(again: SupabaseClient): Promise<void> {
        for (;;) {
          sent += 1
          const name = `Company ${sent}`
          const { error } = await again.from('companies').insert({ name })
          if (error) return
          acknowledged.add(name)
          onAcknowledged()
        }
      }

      for (let round = 0; round <= kills; round++) {
        const server = runBuilt(dataDir, { RATE_LIMIT_SIGN_IN: '1000' })
        const again = await connectTo(await server.ready)
        if (round === 0) {
          // The session of before is still good: the keys are the same.
          const { data: session } = await client.auth.getSession()
          const token = session.session?.access_token ?? ''
          expect((await again.auth.getUser(token)).data.user?.email).toBe(account.email)
        }
        expect((await again.auth.signInWithPassword(account)).error).toBeNull()
        const stored = await namesIn(again)
        expect([...acknowledged].filter((name) => !stored.has(name))).toEqual([])
        if (round === kills) break

        // At a different point of the work each time, once at least some of it is acknowledged.
        const enough = acknowledged.size + (isLong ? 1 + round * 2 : 9)
        onAcknowledged = () => {
          if (acknowledged.size >= enough) server.child.kill('SIGKILL')
        }
        const writers = [1, 2, 3].map(() => writeUntilKilled(again))
        await Promise.all([server.ended, ...writers])
      }
      expect(acknowledged.size).toBeGreaterThan(kills * kills)
      // A start takes four seconds, and several times that on a busy machine.
    },
    (kills + 3) * 48_000,
  )

  test('never leaves this machine by itself, and the guard would notice', async () => {
    const { ended } = runBuilt(temporaryFolder(), {
      DATABASE_URL: 'postgres://user@database.invalid/solo',
    })
    expect(await ended).toMatchObject({ code: 99, err: 'left the machine: database.invalid\n' })
  })

  test('says in one line what it cannot use, and ends', async () => {
    const file = join(import.meta.dirname, 'main.ts')
    const notAFolder = await runBuilt(file).ended
    expect(notAFolder).toMatchObject({ code: 1, out: '' })
    expect(notAFolder.err).toBe(
      `DATA_DIR ${file}: it is not a folder. Rename that file, or set DATA_DIR to another folder.\n`,
    )
    const nobody = await runBuilt(temporaryFolder(), {
      DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/solo',
    }).ended
    expect(nobody).toMatchObject({ code: 1, out: '' })
    expect(nobody.err).toBe(
      'The database server at 127.0.0.1:1 does not answer. Check DATABASE_URL and that the server is running.\n',
    )
  })
})
