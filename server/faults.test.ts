import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { EmbeddedConnection } from './backend/connections.ts'
import { isLong } from './test-length.ts'
import { connectTo, newDataFolder, runBuilt } from './test-process.ts'

const account = { email: 'ada@example.com', password: 'secret-1' }
const people = 200

type Server = {
  client: SupabaseClient
  child: { kill(signal: 'SIGKILL'): void }
  ended: object
  says(words: string): Promise<void>
}
type Answer = { data: { batch: string } | null; error: { message: string } | null }

/** How many of everything that these actions touch; the log and the import counted too. */
async function everything(client: SupabaseClient, importId: string) {
  const count = async (table: string) => {
    const rows = client.from(table).select('id', { count: 'exact', head: true })
    const { count: found, error } = await rows
    expect(error).toBeNull()
    return found
  }
  const state = await client.rpc('import_state', { id: importId })
  const merged = await client.from('tasks').select('contact_id').not('contact_id', 'is', null)
  return {
    contacts: await count('contacts'),
    tasks: await count('tasks'),
    changes: await count('changes'),
    contactsWithTasks: new Set(merged.data?.map((task) => task.contact_id)).size,
    isCommitted: state.data.summary !== null,
  }
}

/**
 * A trap in the middle of whatever writes 150 lines of the log, in one transaction or in parts. Set by a file
 * beside the database, it puts what was written so far on the disk, says by another file that it has sprung, and
 * never goes on.
 */
const trap = `
  create function private.trap() returns trigger language plpgsql security definer as $$
  declare
    lines int := coalesce(nullif(current_setting('test.lines', true), ''), '0')::int + 1;
  begin
    if (pg_stat_file('trap-set', true)).size is null then
      return null;
    end if;
    perform set_config('test.lines', lines::text, false);
    if lines = 150 then
      checkpoint;
      execute format('copy (select 1) to %L', current_setting('data_directory') || '/trap-sprung');
      perform pg_sleep(600);
    end if;
    return null;
  end
  $$`
const setTrap = `
  create trigger trap after insert on public.changes for each row execute function private.trap()`

/** A new installation with the trap in it. */
async function layTrap(dataDir: string): Promise<void> {
  const connection = new EmbeddedConnection(join(dataDir, 'database'))
  for (const statement of [trap, setTrap]) await sql.raw(statement).execute(connection.kysely)
  await connection.close()
}

test.runIf(isLong)(
  'killed in the middle of an import, a merge and an undo: all of it or nothing, and everything acknowledged',
  async () => {
    const dataDir = await newDataFolder()
    const trapFile = (state: 'set' | 'sprung') => join(dataDir, `database/trap-${state}`)
    const importId = randomUUID()
    let starts = 0

    async function start(): Promise<Server> {
      const { child, ready, ended, says } = runBuilt(dataDir)
      const client = await connectTo(await ready)
      const credentials = account
      const { error } = await (starts === 0
        ? client.auth.signUp(credentials)
        : client.auth.signInWithPassword(credentials))
      expect(error).toBeNull()
      starts += 1
      return { client, child, ended, says }
    }

    /** Kills the server in the middle of this, and does it again on the next one, where nothing of it is there. */
    async function interrupted(
      server: Server,
      act: (client: SupabaseClient) => PromiseLike<Answer>,
      { isInParts }: { isInParts: boolean },
    ): Promise<{ server: Server; batch: string }> {
      const before = await everything(server.client, importId)
      const name = `Acknowledged ${starts}`
      expect((await server.client.from('companies').insert({ name })).error).toBeNull()
      writeFileSync(trapFile('set'), '')
      const answer = Promise.resolve(act(server.client))
      const early = answer.then((told) => {
        throw new Error(`It was over before the trap sprang: ${told.error?.message}`)
      })
      const caught = vi.waitFor(() => expect(existsSync(trapFile('sprung'))).toBe(true), {
        timeout: 60_000,
      })
      await Promise.race([caught, early])
      server.child.kill('SIGKILL')
      const [first] = await Promise.all([answer, server.ended])
      expect(first.data).toBeNull()
      rmSync(trapFile('set'))
      rmSync(trapFile('sprung'))

      const next = await start()
      const kept = await next.client.from('companies').select('id').eq('name', name)
      expect(kept.data).toHaveLength(1)
      const after = await everything(next.client, importId)
      // The company that was acknowledged is one change more.
      expect(after).toEqual({ ...before, changes: (before.changes ?? 0) + 1 })
      if (isInParts) await next.says('was taken back')
      const again = await act(next.client)
      expect(again.error).toBeNull()
      return { server: next, batch: again.data?.batch ?? '' }
    }

    await layTrap(dataDir)
    const first = await start()
    const file = { id: importId, kind: 'contacts', file_name: 'people.csv', total: people }
    expect((await first.client.rpc('start_import', file)).error).toBeNull()
    const rows = Array.from({ length: people }, (_, n) => {
      return { place: n + 2, reported: { first_name: `Person ${n}`, email: `p${n}@example.com` } }
    })
    expect((await first.client.rpc('add_import_rows', { id: importId, rows })).error).toBeNull()
    const imported = await interrupted(
      first,
      (client) => client.rpc('commit_import', { id: importId, duplicates: 'skip' }),
      { isInParts: true },
    )
    let { client } = imported.server
    expect(await everything(client, importId)).toMatchObject({
      contacts: people,
      isCommitted: true,
    })
    const two = await client.from('contacts').select('id, updated_at').order('email').limit(2)
    const [keep, other] = two.data ?? []
    const tasks = rows.map((_, n) => ({ title: `Task ${n}`, contact_id: other?.id }))
    expect((await client.from('tasks').insert(tasks)).error).toBeNull()
    const seen = Object.fromEntries((two.data ?? []).map((row) => [row.id, row.updated_at]))
    const merged = await interrupted(
      imported.server,
      (each) => each.rpc('merge_contacts', { keep: keep?.id, seen }),
      { isInParts: false },
    )
    client = merged.server.client
    const moved = await client
      .from('tasks')
      .select('id', { count: 'exact', head: true })
      .eq('contact_id', keep?.id)
    expect(moved.count).toBe(people)

    const undone = await interrupted(
      merged.server,
      (each) => each.rpc('undo_batch', { batch: merged.batch }),
      { isInParts: true },
    )
    client = undone.server.client
    expect(await everything(client, importId)).toMatchObject({ contacts: people, tasks: people })
    const back = await client
      .from('tasks')
      .select('id', { count: 'exact', head: true })
      .eq('contact_id', other?.id)
    expect(back.count).toBe(people)
  },
  480_000,
)
