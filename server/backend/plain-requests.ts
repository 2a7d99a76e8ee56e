import type { CompiledQuery } from 'kysely'
import type { RequestConnection } from './connections.ts'
import type { Keys } from './keys.ts'
import { publicAnswer } from './public-error.ts'
import { type SessionClaims, sessionClaims } from './session-token.ts'

/** Answers a request to `/rest/v1`. */
export type Answerer = (request: Request) => Promise<Response>

/** The statement for a request of a signed-in user. */
export type PlainWork<Row> = {
  /** Below `/rest/v1`. */
  path: string
  readOnly: boolean
  query: CompiledQuery<Row>
  /** Makes the answer from the row. */
  write(row: Row): Written
}

type Written = { body: string; status?: number; headers: Record<string, string> }

/**
 * The claims of a signed-in user whose request has no special headers; null for all other requests, which the
 * library answers.
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
 * Runs one statement as the caller and returns its JSON as the database wrote it. Null when the library must
 * answer, in particular after failures that have the library's own messages: everything is rolled back by then.
 */
export async function answerPlainly<Row>(
  connection: RequestConnection,
  request: Request,
  claims: SessionClaims,
  { path, readOnly, query, write }: PlainWork<Row>,
): Promise<Response | null> {
  const requestHeaders = Object.fromEntries(request.headers)
  const rpc = { method: request.method, path, readOnly, requestHeaders }
  const auth = { uid: claims.sub, role: claims.role, jwt: claims }
  try {
    const [row] = await connection.runAs({ auth }, query, rpc)
    // Both kinds of statements return exactly one row of this type.
    return jsonAnswer(write(row as Row))
  } catch (error) {
    return publicAnswer(connection.normalizeDbError(error))
  }
}

/** An answer of JSON that the database wrote. */
export function jsonAnswer({ body, status = 200, headers }: Written): Response {
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
    },
  })
}
