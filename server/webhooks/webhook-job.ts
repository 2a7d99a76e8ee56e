import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { JobHandler } from '../jobs/jobs.ts'
import { AddressRefused, NameUnknown, type OutgoingRule } from '../outgoing/addresses.ts'
import { requestOutgoing, TooSlow } from '../outgoing/request.ts'
import { signedHeaders } from './signature.ts'

/** In seconds: growing pauses between the tries, 22 hours in all. */
const pauses = [10, 60, 300, 900, 3600, 10_800, 21_600, 43_200]

/** In seconds: the pause while an import or other long work of the account is unfinished. */
const forWork = 5

/** In milliseconds. */
const timeLimit = 10_000

/** Of the answer a user reads the beginning. */
const mostBytes = 2000

type Asked = { later: true } | { url: string; body: string; secrets: string[] }

type Outcome = {
  isDelivered: boolean
  /** It makes no sense to try again. */
  isFinal: boolean
  status: number | null
  problem: string | null
  answer: string | null
}

/** Did not arrive. What it was is noted with the delivery. */
class NotDelivered extends Error {
  override name = 'NotDelivered'
}

/** Sends the messages of webhooks. Each has a job, whose key is the id of the delivery; each webhook has a lane. */
export function webhookJob({ kysely }: Pick<Connection, 'kysely'>, rule: OutgoingRule): JobHandler {
  return {
    atOnce: 8,
    async work({ key, tries }, signal) {
      const { rows } = await sql<{ asked: Asked | null }>`
        select private.delivery_to_send(${key}::uuid) as asked`.execute(kysely)
      const asked = rows[0]?.asked
      if (!asked) return undefined
      if ('later' in asked) return { againIn: forWork }
      const outcome = await attempt(key, asked, rule, signal)
      const { isDelivered, isFinal, status, problem, answer } = outcome
      const isLast = isFinal || tries > pauses.length
      await sql`select private.note_delivery(${key}::uuid, ${isDelivered}, ${isLast}, ${status}::integer,
        ${problem}::text, ${answer}::text)`.execute(kysely)
      if (isDelivered || isLast) return undefined
      throw new NotDelivered()
    },
    pause: (tries) => pauses[Math.min(tries, pauses.length) - 1] ?? null,
  }
}

async function attempt(
  id: string,
  { url, body, secrets }: Exclude<Asked, { later: true }>,
  rule: OutgoingRule,
  signal: AbortSignal,
): Promise<Outcome> {
  const none = { isDelivered: false, isFinal: false, status: null, answer: null }
  try {
    const { status, body: answer } = await requestOutgoing(
      {
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Solo CRM',
          ...signedHeaders({ id, body, secrets, at: new Date() }),
        },
        body,
        timeLimit,
        mostBytes,
        signal,
      },
      rule,
    )
    const isDelivered = status >= 200 && status < 300
    const isRedirect = status >= 300 && status < 400
    return {
      isDelivered,
      isFinal: false,
      status,
      problem: isDelivered ? null : isRedirect ? words.redirect : `The server answered ${status}.`,
      answer: textOf(answer),
    }
  } catch (error) {
    // The server stops, and the job is done by whoever comes next.
    signal.throwIfAborted()
    if (error instanceof AddressRefused) return { ...none, isFinal: true, problem: error.message }
    return { ...none, problem: problemOf(error) }
  }
}

const words = {
  redirect: 'The server answered with another address. Enter that one.',
  slow: 'The server didn’t answer within 10 seconds.',
  certificate: 'The server’s certificate is not valid.',
  none: 'The server can’t be reached.',
}

function problemOf(error: unknown): string {
  if (error instanceof NameUnknown) return error.message
  if (error instanceof TooSlow) return words.slow
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|TLS|SSL|SIGNED|VERIFY/.test(code) ? words.certificate : words.none
}

/** The beginning of an answer, without what a database or a screen cannot show. */
function textOf(answer: Buffer): string | null {
  const text = answer
    .toString('utf8')
    .replace(/[\p{Cc}\p{Cs}\uFFFD]+/gu, ' ')
    .trim()
  // Cut by code points: the database cannot store half a surrogate pair.
  return [...text].slice(0, 400).join('') || null
}
