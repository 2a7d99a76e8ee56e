import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { limitKey } from './client-address.ts'
import { addressOf } from './settings.ts'
import { StartError } from './start-error.ts'

/** A server that accepts requests. */
export type Listening = {
  port: number
  /** The address for a browser on this machine. */
  address: string
  /**
   * Stops accepting, lets requests in flight finish for at most `graceMs`, then cuts them off. Until `drainMs` are over, if
   * anybody is connected, it still answers, and says with each answer that the connection ends.
   */
  close(graceMs: number, drainMs?: number): Promise<void>
}

/** Takes over a connection whose request asks for another protocol. */
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

type Answer = (request: Request, env: object) => Response | Promise<Response>

/** How long a client may take to send its headers, to send the whole request, and to read nothing of an answer. */
type Patience = { headersMs: number; requestMs: number; takingMs: number }

/**
 * Ten megabytes over a slow phone take a minute or two; headers need much less. An answer that the client does not
 * read is held in memory at twice its size.
 */
const usualPatience: Patience = { headersMs: 15_000, requestMs: 180_000, takingMs: 30_000 }

/** The connections of one address, and the bytes of unread answers in all. */
export type ConnectionLimits = { perAddress: number; waitingBytes: number }

/** Opens the port, or throws a {@link StartError} that names the setting to change. */
export async function listen(options: {
  host: string
  port: number
  answer: Answer
  upgrade?: Upgrade
  patience?: Patience
  limits?: Partial<ConnectionLimits>
}): Promise<Listening> {
  const { host, answer, patience = usualPatience } = options
  const limits: ConnectionLimits = { perAddress: Infinity, waitingBytes: 128e6, ...options.limits }
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      // By default Node checks every 30 s, which would turn 15 s into up to 45.
      connectionsCheckingInterval: patience.headersMs / 5,
      // Longer than the usual 60 s of a proxy, so that it never reuses a connection we are closing.
      keepAliveTimeout: 65_000,
    },
    getRequestListener(answer, { hostname: host }),
  )
  await new Promise<void>((resolve, reject) => {
    server.on('error', (error) => reject(explain(error, options)))
    server.listen(options.port, host, resolve)
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : options.port

  const connections = followConnections(server)
  const { upgrade } = options
  if (upgrade) {
    server.on('upgrade', (request, socket, head) => {
      // From here on `upgrade` decides how long the connection may be silent.
      connections.release(request.socket)
      request.socket.setTimeout(0)
      upgrade(request, socket, head)
    })
  }
  limitPerAddress(server, limits.perAddress)
  const stopBounding = limitBufferedBytes(server, limits.waitingBytes)
  server.setTimeout(patience.takingMs, (socket) => {
    // Node calls this only when nothing of an answer is read. A client waiting for an unfinished answer has nothing
    // to read and stays; an idle client has used up the time between two requests.
    if (socket.writableLength > 0 || connections.isIdle(socket)) socket.destroy()
  })
  async function close(graceMs: number, drainMs = 0): Promise<void> {
    if (drainMs > 0 && connections.isAny()) {
      connections.drain()
      await wait(drainMs)
    }
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    connections.closeIdle()
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(cut)
    stopBounding()
  }

  return { port, address: addressOf(host, port), close }
}

/**
 * Tracks which connections have no request in flight. Node's own closeIdleConnections skips connections without any
 * request yet, which browsers open in advance: each would delay a stop to its last second.
 */
function followConnections(server: Server): {
  isIdle(socket: Socket): boolean
  /** Follows a connection no longer. */
  release(socket: Socket): void
  isAny(): boolean
  /** From now on, every answer says that it is the last one on its connection. */
  drain(): void
  closeIdle(): void
} {
  const idle = new Set<Socket>()
  const unanswered = new Set<ServerResponse>()
  let isDraining = false
  let isClosing = false
  function sayLast(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }
  function rest(socket: Socket): void {
    if (isClosing) socket.destroySoon()
    else if (!socket.destroyed) idle.add(socket)
  }
  server.on('connection', (socket) => {
    rest(socket)
    socket.once('close', () => idle.delete(socket))
  })
  // Runs before the listener that answers, because that may answer at once.
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket)
    unanswered.add(response)
    if (isDraining) sayLast(response)
    response.once('close', () => {
      unanswered.delete(response)
      rest(socket)
    })
  })
  return {
    isIdle: (socket) => idle.has(socket),
    release: (socket) => idle.delete(socket),
    isAny: () => idle.size + unanswered.size > 0,
    drain() {
      isDraining = true
      for (const response of unanswered) sayLast(response)
    },
    closeIdle() {
      isClosing = true
      for (const socket of idle) socket.destroy()
    },
  }
}

/** Limits connections per address. Behind a proxy, all come from one address, so the proxy must do this. */
function limitPerAddress(server: Server, most: number): void {
  const held = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = limitKey(socket.remoteAddress ?? 'unknown')
    const count = (held.get(address) ?? 0) + 1
    if (count > most) {
      socket.destroy()
      return
    }
    held.set(address, count)
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1
      if (left > 0) held.set(address, left)
      else held.delete(address)
    })
  })
}

/**
 * Limits the memory for answers that slow clients have not read yet: above the limit, the connection that holds
 * most is cut off.
 */
function limitBufferedBytes(server: Server, most: number): () => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const looking = setInterval(() => {
    const waiting = [...sockets].filter((socket) => socket.writableLength > 0)
    let bytes = waiting.reduce((sum, socket) => sum + socket.writableLength, 0)
    waiting.sort((one, other) => other.writableLength - one.writableLength)
    for (const socket of waiting) {
      if (bytes <= most) return
      bytes -= socket.writableLength
      socket.destroy()
    }
  }, 250).unref()
  return () => clearInterval(looking)
}

function explain(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }) {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT is ${port}, and another program uses that port: stop it or set PORT to a free one.`,
      )
    case 'EACCES':
      return new StartError(`PORT is ${port}, and this user may not open it: set PORT above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`HOST is ${host}, which is no address of this machine.`)
    default:
      return error
  }
}
