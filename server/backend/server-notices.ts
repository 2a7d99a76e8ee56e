import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { logProblem } from '../log.ts'
import { channels, type Hearer } from './embedded/thread.ts'
import { applicationName } from './kept-connection.ts'

/** In milliseconds. */
export type NoticePatience = {
  /** Before a lost connection is replaced. */
  pause: number
  /** For the notice that tells whether notices arrive. */
  probe: number
  /** Between two looks where notices do not arrive. */
  poll: number
  /** Until it is tried again whether they do. */
  retry: number
}

const usualPatience: NoticePatience = { pause: 1000, probe: 5000, poll: 2000, retry: 60_000 }

const probeChannel = 'solo_probe'

/**
 * Hears the notices of a PostgreSQL server, on a connection of its own that is replaced when it is lost. A pooler
 * between us and the server may take LISTEN and never pass on a notice. So each connection begins with a notice to
 * itself. If that does not arrive, the listener gets a gap event at regular intervals, and asks what is new.
 */
export function hearServer(
  url: string,
  pool: pg.Pool,
  hearer: Hearer,
  { pause, probe, poll, retry }: NoticePatience = usualPatience,
): () => Promise<void> {
  let client: pg.Client | null = null
  let isClosed = false
  let connecting: NodeJS.Timeout | undefined
  let polling: NodeJS.Timeout | undefined
  let isTold = false

  function connectLater(ms: number): void {
    if (!isClosed) connecting = setTimeout(() => void connect(), ms).unref()
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: probe,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    })
    client = fresh
    let isOver = false
    // "end" follows an error.
    fresh.on('error', () => {})
    fresh.once('end', () => {
      isOver = true
    })
    const outcome = await isHeard(fresh).catch(() => false)
    if (isClosed) return
    if (outcome) {
      clearInterval(polling)
      polling = undefined
      hearer.onGap()
      if (isOver) connectLater(pause)
      else fresh.once('end', () => connectLater(pause))
    } else if (isOver) {
      // The database itself is away.
      connectLater(pause)
    } else {
      fresh.end(() => {})
      ask()
      connectLater(retry)
    }
  }

  /** Whether a notice of ours arrives on this connection, and so those of others do. */
  async function isHeard(fresh: pg.Client): Promise<boolean> {
    const name = randomUUID()
    const heard = new Promise<boolean>((resolve) => {
      fresh.on('notification', ({ channel, payload = '' }) => {
        if (channel !== probeChannel) hearer.onNotice({ channel, payload })
        else if (payload === name) resolve(true)
      })
      fresh.once('end', () => resolve(false))
    })
    await fresh.connect()
    for (const channel of [...channels, probeChannel]) await fresh.query(`listen ${channel}`)
    // Over another connection: a pooler may run the statements of this one on any of its own.
    await pool.query('select pg_notify($1, $2)', [probeChannel, name])
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), probe).unref()
    })
    return Promise.race([heard, late])
  }

  function ask(): void {
    if (!isTold) {
      logProblem(
        'DATABASE_URL leads to a pooler that passes on no notices, so the server asks every few seconds what is new. ' +
          'An address without the pooler shows changes at once.',
      )
    }
    isTold = true
    polling ??= setInterval(() => hearer.onGap(), poll).unref()
  }

  void connect()
  return async () => {
    isClosed = true
    clearTimeout(connecting)
    clearInterval(polling)
    await client?.end().catch(() => {})
  }
}
