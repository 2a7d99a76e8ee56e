import type { CompiledQuery } from 'kysely'
import type { RequestConnection } from './connections.ts'
import type { Keys } from './keys.ts'
import { publicAnswer } from './public-error.ts'
import { type SessionClaims, sessionClaims } from './session-token.ts'

/** Answers a request to `/rest/v1`. */
export type Answerer = (request: Request) => Promise<Response>

/** What a request of a signed-in user asks of the database. */
export type PlainWork<Row> = {
  /** Below `/rest/v1`. */
  path: string
  readOnly: boolean
  query: CompiledQuery<Row>
  /** What is answered with the row that was found. */
  write(row: Row): Written
}

type Written = { body: string; status?: number; headers: Record<string, string> }

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
    // Both kinds of statements give exactly one row, of the type that they were written with.
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
