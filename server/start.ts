import { createApp } from './app.ts'
import type { Backend } from './backend/start-backend.ts'
import { listen } from './listen.ts'
import { createLiveServer, type LiveServer } from './live/live-server.ts'
import { createMailbox, type Mailbox } from './mail/mailbox.ts'
import { readSettings, type Settings } from './settings.ts'

/** A running server. */
export type Running = { address: string; stop(): Promise<void> }

const graceMs = 10_000
/** How long a proxy has to learn that this process stops: it may be writing into a connection that looks idle here. */
const drainMs = 1000

/**
 * Starts everything, or throws and leaves nothing open. The port is opened first, so that a port in use is reported
 * before the database is touched, and with PORT=0 the backend knows the real address for its links. Until the
 * backend is ready, requests get 503.
 */
export async function start(options: {
  env: Record<string, string | undefined>
  clientDir: string
  openBackend(settings: Settings, mailbox: Mailbox): Promise<Backend>
}): Promise<Running> {
  const { env, clientDir, openBackend } = options
  const asked = readSettings(env)
  let answer: Parameters<typeof listen>[0]['answer'] = answerUnavailable
  let live: LiveServer | null = null
  const { trustedProxies, connectionsPerAddress } = asked
  const server = await listen({
    ...asked,
    answer: (request, bindings) => answer(request, bindings),
    upgrade: (request, socket, head) =>
      live ? live.upgrade(request, socket, head) : socket.destroy(),
    limits: { perAddress: trustedProxies > 0 ? Infinity : connectionsPerAddress },
  })
  const settings = asked.port === 0 ? readSettings({ ...env, PORT: String(server.port) }) : asked
  const mailbox = createMailbox(settings)
  let backend: Backend | null = null

  async function stopOnce(): Promise<void> {
    const answering = answer
    answer = (request, bindings) =>
      new URL(request.url).pathname === '/health'
        ? answerUnavailable()
        : answering(request, bindings)
    const closing = live?.close()
    live = null
    await Promise.all([closing, server.close(graceMs, trustedProxies > 0 ? drainMs : 0)])
    await backend?.close()
    mailbox.close()
  }
  let stopping: Promise<void> | undefined
  function stop(): Promise<void> {
    stopping ??= stopOnce()
    return stopping
  }

  try {
    if (settings.backend.kind !== 'supabase') backend = await openBackend(settings, mailbox)
    answer = createApp({ settings, backend, clientDir }).fetch
    live = createLiveServer({ settings, backend })
  } catch (error) {
    await stop()
    throw error
  }
  return { address: server.address, stop }
}

function answerUnavailable(): Response {
  return Response.json(
    { status: 'unavailable' },
    { status: 503, headers: { 'Retry-After': '1', 'Cache-Control': 'no-store' } },
  )
}
