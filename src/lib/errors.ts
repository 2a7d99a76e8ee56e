import { errorWords } from '#domain/error-words.ts'

/** What the client library throws or answers, as far as it can be known. */
type BackendError = { message?: unknown; code?: unknown; status?: unknown; name?: unknown }

/** What the service in front of the database says, in our words. */
const ofTheService: Record<string, string> = {
  PGRST116: 'This record does not exist any more.',
  PGRST301: 'Not authenticated',
  PGRST303: 'Not authenticated',
}

function wordsOf(code: unknown): string | undefined {
  if (typeof code !== 'string') return undefined
  const words = errorWords[code]
  if (!words) return ofTheService[code]
  return words.isPassing ? `${words.message} Please try again.` : words.message
}

export const unreachable = 'The server cannot be reached. Check your connection and try again.'

/**
 * The one translation of backend errors into what the user reads: never a constraint's name, never
 * a stack. Sentences of our own SQL functions (codes PT4xx) are meant for people and pass as they are.
 */
export function errorMessage(error: unknown): string {
  const { message, code, status } = asBackendError(error)
  if (isUnreachable(error)) return unreachable
  const words = wordsOf(code)
  if (words) return words
  if (status === 413) return 'This is too large to be sent.'
  if (typeof message === 'string' && message !== '' && !/constraint|relation "/.test(message)) {
    return message
  }
  return 'Something went wrong. Please try again.'
}

/** True when no answer came: the network is gone, or the server is. */
export function isUnreachable(error: unknown): boolean {
  const { message, name, status } = asBackendError(error)
  // The client library takes a server that broke for one that is away.
  if (name === 'AuthRetryableFetchError') return status !== 500
  const noAnswer = /failed to fetch|networkerror|load failed|network request failed|fetch failed/i
  return (status === undefined || status === 0) && noAnswer.test(String(message))
}

/** Why no answer came, for below a sentence that already asks to try again. */
export function unreachableReason(error: unknown): string {
  // Something on the way answered instead: a proxy, or our server while its database is away.
  return asBackendError(error).status
    ? 'The server is not ready yet. Wait a moment.'
    : 'The server cannot be reached. Check your connection.'
}

/** True when the database said why it will not do it: asked again, it would say the same. */
export function isRefused(error: unknown): boolean {
  return /^PT4/.test(String(asBackendError(error).code))
}

/** True when the backend does not know the session any more. */
export function isSessionGone(error: unknown): boolean {
  const { code, status, name } = asBackendError(error)
  if (name === 'AuthSessionMissingError') return true
  const codes = ['PT401', 'PGRST301', 'PGRST303', 'bad_jwt', 'session_not_found', 'user_not_found']
  return codes.includes(String(code)) || status === 401
}

/** What a row was to be linked to was deleted in another window. */
export function isLinkMissing(error: unknown): boolean {
  return asBackendError(error).code === '23503'
}

/** A row-level policy that filters a write out gives no error and no row; that is "not found". */
export function notFound(): Error {
  return Object.assign(new Error('This record does not exist any more.'), { code: 'PGRST116' })
}

function asBackendError(error: unknown): BackendError {
  return typeof error === 'object' && error !== null ? error : { message: error }
}
