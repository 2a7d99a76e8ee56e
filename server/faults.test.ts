import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { connectTo, runBuilt } from './test-process.ts'
import { temporaryFolder } from './test-server.ts'

const account = { email: 'ada@example.com', password: 'secret-1' }
/** Enough that the database begins to write long before it is done. */
const people = 2000

type Server = { client: SupabaseClient; child: { kill(signal: 'SIGKILL'): void }; ended: object }
type Answer = { data: { batch: string } | null; error: { message: string } | null }

/** How many of everything that these deeds touch; the log and the import counted too. */
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

/** Resolves once the database begins to write: in the middle of whatever it was last asked to do. */
function writesBegin(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'database/pg_wal')
  const look = () => {
    const segments = readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name))
    return segments.map((name) => statSync(join(folder, name)).mtimeMs).join()
  }
  const before = look()
  return vi.waitFor(() => expect(look()).not.toBe(before), { interval: 2, timeout: 60_000 })
}

test('killed in the middle of an import, a merge and an undo: all of it or nothing, and everything acknowledged', async () => {
  const dataDir = temporaryFolder()
  const importId = randomUUID()
  let starts = 0

  async function start(): Promise<Server> {
    const { child, ready, ended } = runBuilt(dataDir)
    const client = await connectTo(await ready)
    const credentials = account
    const { error } = await (starts === 0
      ? client.auth.signUp(credentials)
      : client.auth.signInWithPassword(credentials))
    expect(error).toBeNull()
    starts += 1
    return { client, child, ended }
  }

  /** Kills the server while it does this, and does it again on the next one when nothing of it is there. */
  async function interrupted(
    server: Server,
    act: (client: SupabaseClient) => PromiseLike<Answer>,
  ): Promise<{ server: Server; batch: string }> {
    const before = await everything(server.client, importId)
    const name = `Acknowledged ${starts}`
    expect((await server.client.from('companies').insert({ name })).error).toBeNull()
    const beginning = writesBegin(dataDir)
    const answer = Promise.resolve(act(server.client))
    await beginning
    server.child.kill('SIGKILL')
    const [first] = await Promise.all([answer, server.ended])

    const next = await start()
    const kept = await next.client.from('companies').select('id').eq('name', name)
    expect(kept.data).toHaveLength(1)
    const after = await everything(next.client, importId)
    // The company that was acknowledged is one change more.
    const isUntouched = after.changes === (before.changes ?? 0) + 1
    if (!isUntouched) {
      // It was done before the signal arrived, answered or not: then all of it is there, as is seen below.
      const latest = next.client.from('changes').select('batch').order('id', { ascending: false })
      const { data } = await latest.limit(1).single()
      return { server: next, batch: data?.batch }
    }
    expect(first.data).toBeNull()
    expect(after).toEqual({ ...before, changes: after.changes })
    const again = await act(next.client)
    expect(again.error).toBeNull()
    return { server: next, batch: again.data?.batch ?? '' }
  }

  const first = await start()
  const file = { id: importId, kind: 'contacts', file_name: 'people.csv', total: people }
  expect((await first.client.rpc('start_import', file)).error).toBeNull()
  const rows = Array.from({ length: people }, (_, n) => {
    return { place: n + 2, said: { first_name: `Person ${n}`, email: `p${n}@example.com` } }
  })
  for (const part of [rows.slice(0, 1000), rows.slice(1000)]) {
    const sent = await first.client.rpc('add_import_rows', { id: importId, rows: part })
    expect(sent.error).toBeNull()
  }
  const imported = await interrupted(first, (client) =>
    client.rpc('commit_import', { id: importId, duplicates: 'skip' }),
  )
  let { client } = imported.server
  expect(await everything(client, importId)).toMatchObject({ contacts: people, isCommitted: true })

  const two = await client.from('contacts').select('id, updated_at').order('email').limit(2)
  const [keep, other] = two.data ?? []
  const tasks = rows.map((_, n) => ({ title: `Task ${n}`, contact_id: other?.id }))
  expect((await client.from('tasks').insert(tasks)).error).toBeNull()
  const seen = Object.fromEntries((two.data ?? []).map((row) => [row.id, row.updated_at]))
  const merged = await interrupted(imported.server, (each) =>
    each.rpc('merge_contacts', { keep: keep?.id, seen }),
  )
  client = merged.server.client
  const moved = await client
    .from('tasks')
    .select('id', { count: 'exact', head: true })
    .eq('contact_id', keep?.id)
  expect(moved.count).toBe(people)

  const undone = await interrupted(merged.server, (each) =>
    each.rpc('undo_batch', { batch: merged.batch }),
  )
  client = undone.server.client
  expect(await everything(client, importId)).toMatchObject({ contacts: people, tasks: people })
  const back = await client
    .from('tasks')
    .select('id', { count: 'exact', head: true })
    .eq('contact_id', other?.id)
  expect(back.count).toBe(people)
}, 240_000)
