import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'

const keys = {
  publishableKey: 'sb_publishable_bench',
  secretKey: 'sb_secret_bench',
  jwtSecret: 'a secret for one run of the benchmark',
}

/** A fresh embedded database behind the real protocol, thrown away afterwards. */
export async function openBench() {
  const folder = await mkdtemp(join(tmpdir(), 'solo-bench-'))
  const connection = new EmbeddedConnection(join(folder, 'database'))
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

  /** Runs SQL directly, past protocol and policies. */
  const query = (statement: string) => sql.raw(statement).execute(connection.kysely)

  return {
    query,
    signUp,
    /** Fills two accounts alike, so that one owner's rows must be found among another's. */
    async fillTwo(fill: (id: string) => Promise<void>): Promise<{ id: string; token: string }> {
      const [owner, other] = [await signUp(), await signUp()]
      // The log is not what is measured here, and would double the time to fill.
      await query(`select set_config('solo.silent', 'on', false)`)
      for (const { id } of [owner, other]) await fill(id)
      await query(`select set_config('solo.silent', 'off', false)`)
      await query('analyze')
      return owner
    },
    /** Calls a function as the browser would. */
    rpc: (name: string, args: object, token: string) =>
      request(`/rest/v1/rpc/${name}`, args, token),
    async close() {
      await backend.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Bench = Awaited<ReturnType<typeof openBench>>
