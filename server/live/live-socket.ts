import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { LiveAccounts, Pass } from '#server/backend/live-accounts.ts'
import { type Message, readMessage, writeBroadcast, writeMessage, writeReply } from './phoenix.ts'

/** Bounds of one socket; the times are in milliseconds. */
export type SocketLimits = {
  /** Until the first channel is joined. */
  joining: number
  /** Messages in one `span`. */
  messages: number
  span: number
  /** What may wait for a slow reader. */
  waitingBytes: number
}

export const usualLimits: SocketLimits = {
  joining: 15_000,
  messages: 60,
  span: 10_000,
  waitingBytes: 256_000,
}

/** A close is read as a lost connection: the client connects again, and joins with the token it has then. */
const forReasons = 1008

const joining = z.object({
  access_token: z.string().max(8000),
  config: z.object({ private: z.literal(true) }),
})
const renewing = z.object({ access_token: z.string().max(8000) })

/** The longest delay that a timer takes. */
const longest = 2 ** 31 - 1

type Options = {
  live: Pick<LiveAccounts, 'admit' | 'follow'>
  limits: SocketLimits
  /** Whether the account may have one more socket. Counted until `leave` is called. */
  enter(account: string): boolean
  leave(account: string): void
}

/**
 * Serves one socket: it may join the channel of its own account, hears what changes there, and is closed when its
 * session ends or its token expires. It can send nothing to others.
 */
export function serveSocket(socket: WebSocket, { live, limits, enter, leave }: Options): void {
  let joined: { pass: Pass; topic: string; stop(): void } | null = null
  let expiring: NodeJS.Timeout | undefined
  const waiting = setTimeout(() => refuse('Nothing was joined.'), limits.joining)
  let count = 0
  const counting = setInterval(() => {
    count = 0
  }, limits.span)
  /** One message after the other: a token is looked up in the database. */
  let last = Promise.resolve()

  function refuse(reason: string): void {
    socket.close(forReasons, reason)
    // Whoever does not answer a close is cut off.
    setTimeout(() => socket.terminate(), 2000).unref()
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > limits.waitingBytes) socket.terminate()
    else socket.send(text)
  }

  function depart(): void {
    clearTimeout(expiring)
    if (!joined) return
    joined.stop()
    leave(joined.pass.account)
    joined = null
  }

  function expireWith({ expires }: Pass): void {
    clearTimeout(expiring)
    const left = Math.min(expires.getTime() - Date.now(), longest)
    expiring = setTimeout(() => refuse('The token has expired.'), left)
  }

  async function join(message: Message): Promise<void> {
    const asked = joining.safeParse(message.payload)
    if (!asked.success) return send(writeReply(message, 'Only private channels can be joined.'))
    const pass = await live.admit(asked.data.access_token)
    if (socket.readyState !== socket.OPEN) return
    if (!pass) return send(writeReply(message, 'The session has ended.'))
    if (message.topic !== `realtime:account:${pass.account}`)
      return send(writeReply(message, 'This channel is not yours.'))
    depart()
    if (!enter(pass.account)) return send(writeReply(message, 'Too many windows are open.'))
    follow(pass, message.topic)
    clearTimeout(waiting)
    send(writeReply(message))
  }

  function follow(pass: Pass, topic: string): void {
    joined?.stop()
    const { account, session } = pass
    const stop = live.follow({
      account,
      session,
      onNews: (news) => send(writeBroadcast(topic, 'changes', news)),
      onEnd: () => refuse('The session has ended.'),
    })
    joined = { pass, topic, stop }
    expireWith(pass)
  }

  async function renew({ payload, topic }: Message): Promise<void> {
    if (joined?.topic !== topic) return
    const asked = renewing.safeParse(payload)
    const pass = asked.success ? await live.admit(asked.data.access_token) : null
    if (!pass) refuse('The session has ended.')
    else if (pass.account === joined?.pass.account) follow(pass, topic)
    else {
      // Another account has signed in at this window, and joins its own channel.
      depart()
      send(writeMessage({ joinRef: null, ref: null, topic, event: 'phx_close', payload: {} }))
    }
  }

  async function answer(message: Message): Promise<void> {
    switch (message.event) {
      case 'heartbeat':
        return send(writeReply(message))
      case 'phx_join':
        return join(message)
      case 'access_token':
        return renew(message)
      case 'phx_leave':
        if (joined?.topic === message.topic) depart()
        return send(writeReply(message))
      default:
        return send(writeReply(message, 'Clients cannot send to channels.'))
    }
  }

  socket.on('message', (data, isBinary) => {
    count += 1
    if (count > limits.messages) return refuse('Too many messages.')
    // Only a client's own broadcasts are binary.
    const message = isBinary ? null : readMessage(data.toString())
    if (!message) return refuse('The message cannot be read.')
    last = last
      .then(() => answer(message))
      // The database is away: the client tries again.
      .catch(() => send(writeReply(message, 'Temporarily unavailable.')))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(waiting)
    clearInterval(counting)
    depart()
  })
}
