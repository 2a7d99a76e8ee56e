import { errorWords } from '#domain/error-words.ts'

/** An answer to a database error. */
type Answer = { status: number; message: string }

/** The status for each SQLSTATE that we answer ourselves; the library answers all others. */
const statuses: Record<string, number> = {
  '08P01': 400,
  '22021': 400,
  '22P05': 400,
  '23502': 400,
  '23503': 409,
  '23505': 409,
  '23514': 400,
  '40001': 409,
  '40P01': 409,
  '53100': 507,
  '53300': 503,
  '53400': 400,
  '54000': 400,
  '54001': 400,
  '54011': 400,
  '54023': 400,
  '55000': 405,
  '55P03': 503,
  '57014': 503,
  '57P03': 503,
}

function wordsOf(code: string): string {
  const { message = 'This is not possible.', isPassing = false } = errorWords[code] ?? {}
  return `${message} Nothing was saved${isPassing ? '; try again in a moment' : ''}.`
}

/** The answer while the database cannot be reached. */
export const unreachable: Answer = { status: 503, message: wordsOf('57P03') }

/** The driver's own codes for a lost or refused connection. */
const connectionCode = /^(ECONN|CONNECT|ENOTFOUND|EPIPE|ETIMEDOUT|08(?!P01)|57P0)/

/** Messages of the drivers about a lost or refused connection, which have no code. */
const connectionWords =
  /^(Connection terminated|Client .* not queryable|timeout exceeded when trying)/

/**
 * An error in PostgREST's form for answers chosen by SQL (code `PGRST`, message and detail as JSON), so that
 * status, code and message reach the client unchanged.
 */
class PublicError extends Error {
  readonly code = 'PGRST'
  readonly detail: string

  constructor(message: string, detail: string) {
    super(message)
    this.name = 'PublicError'
    this.detail = detail
  }
}

export function publicError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Error {
  return new PublicError(
    JSON.stringify({ code, message, details: null, hint: null }),
    JSON.stringify({ status, headers }),
  )
}

/** The answer of a `PublicError`; null for any other error. */
export function publicAnswer(error: unknown): Response | null {
  if (!(error instanceof PublicError)) return null
  const { status, headers }: { status: number; headers: Record<string, string> } = JSON.parse(
    error.detail,
  )
  return new Response(error.message, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  })
}

/** Whether an error means that a connection to the database was lost or refused. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseAway) return true
  // FATAL ends or refuses the connection, whatever the code.
  const isFatal = 'severity' in error && error.severity === 'FATAL'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return isFatal || connectionWords.test(error.message) || connectionCode.test(code)
}

/** The database cannot be reached. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/**
 * Translates an error of the driver. Constraint names and row contents are removed; messages that our own SQL
 * raised, which have no constraint, are written for users and pass.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (isUnreachable(error)) {
    return publicError(unreachable.status, '57P03', unreachable.message)
  }
  if (!('code' in error) || typeof error.code !== 'string') {
    // The embedded database's serializers refuse such values without a code.
    if (/^Invalid input for/.test(error.message)) {
      return publicError(400, '22P02', wordsOf('22P02'))
    }
    // A value nested too deep for the library or the driver.
    if (error instanceof RangeError) {
      return publicError(400, '54001', wordsOf('54001'))
    }
    // The library handles every malformed address but this one.
    if (/^Missing closing quote/.test(error.message)) {
      return publicError(400, 'PGRST100', 'The address of the request cannot be read.')
    }
    return error
  }
  // Our SQL has chosen its answer in PostgREST's form.
  if (error.code === 'PGRST' && 'detail' in error) {
    return new PublicError(error.message, String(error.detail))
  }
  // Raised by our SQL with words of its own.
  const status = error.code === 'P0001' ? 400 : statuses[error.code]
  if (status === undefined) return error
  const constraint =
    'constraint' in error ? error.constraint : 'constraint_name' in error && error.constraint_name
  const isOurs = !constraint && (error.code === 'P0001' || error.code === '23503')
  return publicError(status, error.code, isOurs ? error.message : wordsOf(error.code))
}
