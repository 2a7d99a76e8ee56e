/** What a client reads when the database says no: a status, a code it can act on, and plain words. */
type Answer = { status: number; message: string }

const wrongForm: Answer = { status: 400, message: 'A value has the wrong form. Nothing was saved.' }
const tooLarge: Answer = { status: 400, message: 'A value is too large. Nothing was saved.' }

const answers: Record<string, Answer> = {
  '08P01': wrongForm,
  '22021': wrongForm,
  '22P05': wrongForm,
  '23502': { status: 400, message: 'A required value is missing. Nothing was saved.' },
  '23503': {
    status: 409,
    message: 'A linked record does not exist or is not yours. Nothing was saved.',
  },
  '23505': { status: 409, message: 'There is one like this already. Nothing was saved.' },
  '23514': { status: 400, message: 'A value is not allowed here. Nothing was saved.' },
  '40001': {
    status: 409,
    message: 'Someone else changed the same thing. Nothing was saved; try again.',
  },
  '40P01': {
    status: 409,
    message: 'Someone else changed the same thing. Nothing was saved; try again.',
  },
  '53300': {
    status: 503,
    message: 'Too much is asked for at the moment. Nothing was saved; try again in a moment.',
  },
  '53100': { status: 507, message: 'The disk of the server is full. Nothing was saved.' },
  '53400': {
    status: 400,
    message: 'The answer would be too long. Nothing was saved; ask for less at once.',
  },
  '54000': tooLarge,
  '54001': tooLarge,
  '54011': tooLarge,
  '54023': tooLarge,
  '55000': { status: 405, message: 'This can only be read. Nothing was saved.' },
  '55P03': {
    status: 503,
    message: 'Something else is being changed at the moment. Nothing was saved; try again.',
  },
  '57014': { status: 503, message: 'This took too long and was stopped. Nothing was saved.' },
  P0001: { status: 400, message: 'This is not possible. Nothing was saved.' },
}

/** The answer while the database is away. */
export const unreachable: Answer = {
  status: 503,
  message: 'The database does not answer. Nothing was saved; try again in a moment.',
}

/** The driver's own codes for a lost or refused connection. */
const connectionCode = /^(ECONN|CONNECT|ENOTFOUND|EPIPE|ETIMEDOUT|08(?!P01)|57P0)/

/** The same where the driver has words only: a connection that broke under a request, or never came about. */
const connectionWords =
  /^(Connection terminated|Client .* not queryable|timeout exceeded when trying)/

/**
 * An error in the form in which PostgREST lets SQL choose the answer (code `PGRST`, message and
 * detail as JSON), so that status, code and words reach the client unchanged.
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

/** An answer of our own choosing. */
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

/** The answer that an error of ours stands for; null for any other error. */
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

/** True for what is thrown when a connection to the database broke, or never came about. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseAway) return true
  // What is fatal ends a connection or refuses it, whatever its code means otherwise.
  const isFatal = 'severity' in error && error.severity === 'FATAL'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return isFatal || connectionWords.test(error.message) || connectionCode.test(code)
}

/** Nothing can be answered because the database is away. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/**
 * Translates what the driver threw. Constraint names and row contents stay inside; messages that
 * our own SQL raised (they come without a constraint) are meant for people and pass.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (isUnreachable(error)) {
    return publicError(unreachable.status, '57P03', unreachable.message)
  }
  if (!('code' in error) || typeof error.code !== 'string') {
    // The embedded database's driver refuses such values before they are sent, without a code.
    if (/^Invalid input for/.test(error.message)) {
      return publicError(wrongForm.status, '22P02', wrongForm.message)
    }
    // A value nested deeper than the library or the driver can follow.
    if (error instanceof RangeError) {
      return publicError(tooLarge.status, '54001', tooLarge.message)
    }
    // The library reads the address of a request; of what it cannot read it foresaw all but this.
    if (/^Missing closing quote/.test(error.message)) {
      return publicError(400, 'PGRST100', 'The address of the request cannot be read.')
    }
    return error
  }
  // Our SQL has chosen its answer, in this form too.
  if (error.code === 'PGRST' && 'detail' in error) {
    return new PublicError(error.message, String(error.detail))
  }
  const answer = answers[error.code]
  if (!answer) return error
  const constraint =
    'constraint' in error ? error.constraint : 'constraint_name' in error && error.constraint_name
  const isOurs = !constraint && (error.code === 'P0001' || error.code === '23503')
  return publicError(answer.status, error.code, isOurs ? error.message : answer.message)
}
