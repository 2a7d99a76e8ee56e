import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { WebSocketServer } from 'ws'
import type { Backend } from '#server/backend/start-backend.ts'
import { addressOfRequest, limitKey } from '#server/client-address.ts'
import type { Settings } from '#server/settings.ts'
import { type SocketLimits, serveSocket, usualLimits } from './live-socket.ts'

/** Sockets, of one account and of one address; and connections that one address may open in a minute. */
type ServerLimits = { perAccount: number; perAddress: number; perMinute: number }

const usual: ServerLimits = { perAccount: 50, perAddress: 200, perMinute: 600 }

/** A message holds a token, and little more. */
const mostBytes = 16_384
/** In milliseconds. The browser answers a ping even where it slows down the timers of a hidden page. */
const pinging = 30_000
const closing = 1000

/** The path of supabase-js's channels. */
const livePath = '/realtime/v1/websocket'

export type LiveServer = {
  /** Takes over a connection that asks for the path of channels. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes all sockets: their clients connect again. */
  close(): Promise<void>
}

/** Serves one kind of Supabase channel: private, one for each account, on which only the server sends. */
export function createLiveServer(options: {
  settings: Pick<Settings, 'publicUrl' | 'trustedProxies'>
  backend: Pick<Backend, 'live' | 'publicKey'> | null
  limits?: Partial<ServerLimits & SocketLimits>
}): LiveServer {
  const { settings, backend } = options
  const limits = { ...usual, ...usualLimits, ...options.limits }
  const accounts = new Counter(limits.perAccount)
  const addresses = new Counter(limits.perAddress)
  const connections = new RateLimiterMemory({ points: limits.perMinute, duration: 60 })
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: mostBytes,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const answered = new WeakSet<object>()
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (!answered.has(socket)) socket.terminate()
      answered.delete(socket)
      socket.ping()
    }
  }, pinging).unref()

  async function admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (!backend) return refuse(socket, '404 Not Found')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname !== livePath) return refuse(socket, '404 Not Found')
    if (!isOwnOrigin(request, settings.publicUrl)) return refuse(socket, '403 Forbidden')
    if (searchParams.get('apikey') !== backend.publicKey) return refuse(socket, '401 Unauthorized')
    if (searchParams.get('vsn') !== '2.0.0') return refuse(socket, '400 Bad Request')
    const address = limitKey(addressOfRequest(request, settings.trustedProxies))
    const isInTime = await connections.consume(address).then(
      () => true,
      () => false,
    )
    if (!isInTime || !addresses.add(address)) return refuse(socket, '429 Too Many Requests')
    socket.once('close', () => addresses.remove(address))
    server.handleUpgrade(request, socket, head, (opened) => {
      answered.add(opened)
      opened.on('pong', () => answered.add(opened))
      serveSocket(opened, {
        live: backend.live,
        limits,
        enter: (account) => accounts.add(account),
        leave: (account) => accounts.remove(account),
      })
    })
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => {})
      admit(request, socket, head).catch(() => socket.destroy())
    },
    async close() {
      clearInterval(pings)
      const open = [...server.clients]
      const closed = Promise.all(
        open.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
      )
      for (const socket of open) socket.close(1001)
      const cut = setTimeout(() => {
        for (const socket of open) socket.terminate()
      }, closing)
      await closed
      clearTimeout(cut)
      server.close()
    },
  }
}

/** Browsers name the page that asks. Like every other route, this one serves our own pages only. */
function isOwnOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host } = headers
  if (origin === undefined || origin === publicUrl) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Counts what is open under each key. */
class Counter {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  add(key: string): boolean {
    const count = this.#open.get(key) ?? 0
    if (count >= this.#most) return false
    this.#open.set(key, count + 1)
    return true
  }

  remove(key: string): void {
    const left = (this.#open.get(key) ?? 1) - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}
