import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import pg from 'pg'
import {
  EmbeddedConnection,
  type RequestConnection,
  ServerConnection,
} from '#server/backend/connections.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'

const keys = {
  publishableKey: 'sb_publishable_bench',
  secretKey: 'sb_secret_bench',
  jwtSecret: 'a secret for one run of the benchmark',
}

/** Opens a fresh database behind the real protocol, thrown away afterwards. */
export type OpenBench = () => Promise<Bench>

export const openEmbedded: OpenBench = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'solo-bench-'))
  const connection = new EmbeddedConnection(join(folder, 'database'))
  return openBench(connection, () => rm(folder, { recursive: true, force: true }))
}

/** A database of its own on the server of this address. */
export function openOnServer(address: string): OpenBench {
  return async () => {
    const name = `bench_${randomUUID().replaceAll('-', '')}`
    const url = new URL(address)
    url.pathname = `/${name}`
    await onServer(address, `create database ${name}`)
    return openBench(new ServerConnection(url.href), () =>
      onServer(address, `drop database ${name}`),
    )
  }
}

async function onServer(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function openBench(connection: RequestConnection, clear: () => Promise<void>) {
  const backend = await startBackend({
    connection,
    keys,
    settings: { publicUrl: 'http://127.0.0.1:3000', confirmEmail: false },
    mailbox: noMailbox,
  })

  async function request(path: string, body: unknown, token?: string): Promise<unknown> {
    const response = await backend.fetch(
      new Request(`http://127.0.0.1:3000${path}`, {
        method: 'POST',
        headers: {
          apikey: backend.publicKey,
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(body),
      }),
      null,
    )
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  async function signUp(): Promise<{ id: string; token: string }> {
    const credentials = { email: `${randomUUID()}@example.com`, password: 'secret-1' }
    const session = (await request('/auth/v1/signup', credentials)) as {
      access_token: string
      user: { id: string }
    }
    return { id: session.user.id, token: session.access_token }
  }

  /** The connection that fills the accounts: `solo.silent` is set on this one alone. */
  let filling: Connection['kysely'] | null = null
  /** Runs SQL directly, past protocol and policies. */
  const query = (statement: string) => sql.raw(statement).execute(filling ?? connection.kysely)

  return {
    query,
    signUp,
    /** Fills two accounts alike, so that one owner's rows must be found among another's. */
    async fillTwo(fill: (id: string) => Promise<void>): Promise<{ id: string; token: string }> {
      const [owner, other] = [await signUp(), await signUp()]
      await connection.kysely.connection().execute(async (one) => {
        filling = one
        // The log is not what is measured here, and would double the time to fill.
        await query(`select set_config('solo.silent', 'on', false)`)
        for (const { id } of [owner, other]) await fill(id)
        await query(`select set_config('solo.silent', 'off', false)`)
        await query('analyze')
      })
      filling = null
      return owner
    },
    /** Calls a function as the browser would. */
    rpc: (name: string, args: object, token: string) =>
      request(`/rest/v1/rpc/${name}`, args, token),
    async close() {
      await backend.close()
      await clear()
    },
  }
}

export type Bench = Awaited<ReturnType<typeof openBench>>
