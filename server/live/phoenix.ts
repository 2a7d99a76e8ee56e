import { z } from 'zod'

/**
 * One message of the protocol that Supabase's client speaks on its socket: Phoenix channels, version 2.0.0. `joinRef`
 * names the stay in a channel, `ref` the request that an answer belongs to.
 */
export type Message = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
}

const reference = z.nullable(z.string().max(40))
const written = z.tuple([
  reference,
  reference,
  z.string().max(200),
  z.string().max(40),
  z.unknown(),
])

/** Null for everything that is no message of this version. */
export function readMessage(text: string): Message | null {
  const read = written.safeParse(parsed(text))
  if (!read.success) return null
  const [joinRef, ref, topic, event, payload] = read.data
  return { joinRef, ref, topic, event, payload }
}

export function writeMessage({ joinRef, ref, topic, event, payload }: Message): string {
  return JSON.stringify([joinRef, ref, topic, event, payload])
}

/** The answer to a message; `reason` only where it is refused. */
export function writeReply({ joinRef, ref, topic }: Message, reason?: string): string {
  const payload = reason
    ? { status: 'error', response: { reason } }
    : { status: 'ok', response: {} }
  return writeMessage({ joinRef, ref, topic, event: 'phx_reply', payload })
}

/** What the server sends to a channel by itself. */
export function writeBroadcast(topic: string, event: string, payload: object): string {
  const broadcast = { type: 'broadcast', event, payload }
  return writeMessage({ joinRef: null, ref: null, topic, event: 'broadcast', payload: broadcast })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
