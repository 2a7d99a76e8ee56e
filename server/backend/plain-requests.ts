import type { Connection } from '@supabase/lite'
import type { CompiledQuery } from 'kysely'
import type { Keys } from './keys.ts'
import { publicAnswer } from './public-error.ts'
import type { AnyDatabase } from './request-context.ts'
import { type SessionClaims, sessionClaims } from './session-token.ts'

/** Answers a request to `/rest/v1`. */
export type Answerer = (request: Request) => Promise<Response>

/** What a request of a signed-in user asks of the database. */
export type PlainWork<Row> = {
  /** Below `/rest/v1`. */
  path: string
  readOnly: boolean
  query: CompiledQuery<Row>
  /** The answer's body, with the headers that depend on it, or null where the library must decide. */
  write(row: Row): { body: string; headers: Record<string, string> } | null
}

/** What was found is the library's business after all. */
class NotOurs extends Error {}

/**
 * Who asks, when it is a signed-in user of our own client who has no wish about the form of the answer;
 * null for everybody else, whom the library answers.
 */
export function plainCaller(
  { headers }: Request,
  keys: Pick<Keys, 'publishableKey' | 'jwtSecret'>,
): SessionClaims | null {
  const isPlain =
    headers.get('apikey') === keys.publishableKey &&
    ['*/*', 'application/json', null].includes(headers.get('accept')) &&
    ['public', null].includes(headers.get('content-profile')) &&
    ['public', null].includes(headers.get('accept-profile')) &&
    !headers.has('prefer') &&
    !headers.has('range')
  const [, token] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? []
  return isPlain && token ? sessionClaims(token, keys.jwtSecret, new Date()) : null
}

/**
 * Runs one statement as the caller and hands its text on as the database wrote it. Null when the library
 * must answer, in particular for every failure whose words are its own: nothing was written until then.
 */
export async function answerPlainly<Row>(
  connection: Connection,
  request: Request,
  claims: SessionClaims,
  { path, readOnly, query, write }: PlainWork<Row>,
): Promise<Response | null> {
  const requestHeaders = Object.fromEntries(request.headers)
  const rpc = { method: request.method, path, readOnly, requestHeaders }
  const work = async (db: AnyDatabase) => {
    const { rows } = await db.executeQuery(query)
    const [row] = rows
    const answer = row && write(row)
    // Thrown, so that what was written is undone before the library does it again.
    if (!answer) throw new NotOurs()
    return answer
  }
  try {
    const auth = { uid: claims.sub, role: claims.role, jwt: claims }
    const { body, headers } = await connection.withContext({ auth }, work, { rpc })
    return jsonAnswer(body, headers)
  } catch (error) {
    return publicAnswer(connection.normalizeDbError(error))
  }
}

/** An answer of JSON that the database wrote. */
export function jsonAnswer(body: string, headers: Record<string, string>): Response {
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
    },
  })
}
