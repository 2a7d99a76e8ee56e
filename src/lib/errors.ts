import { errorWords } from '#domain/error-words.ts'
import { isSurelyOffline } from './network.ts'

/** An error of the client library. */
type BackendError = { message?: unknown; code?: unknown; status?: unknown; name?: unknown }

/** Our messages for errors of the API and the authentication service. */
const ofTheService: Record<string, string> = {
  PGRST116: 'This record no longer exists.',
  PGRST301: 'Not authenticated',
  PGRST303: 'Not authenticated',
}

/** The end of a sentence of our server, which also says what became of the write. */
const sentenceOfServer = /try again in a moment\.$/i

function wordsOf(code: unknown, message: unknown): string | undefined {
  if (typeof code !== 'string') return undefined
  const words = errorWords[code]
  if (!words) return ofTheService[code]
  if (words.isPassing && typeof message === 'string' && sentenceOfServer.test(message))
    return message
  return words.isPassing ? `${words.message} Please try again.` : words.message
}

export const unreachable = 'The server can’t be reached. Check your connection and try again.'

/**
 * Translates backend errors for the user: never a constraint's name or a stack. Messages of our own SQL functions
 * (codes PT4xx) are written for users and pass unchanged.
 */
export function errorMessage(error: unknown): string {
  const { message, code, status } = asBackendError(error)
  if (isUnreachable(error)) return unreachable
  const words = wordsOf(code, message)
  if (words) return words
  if (status === 413) return 'This is too large to send.'
  if (typeof message === 'string' && message !== '' && !/constraint|relation "/.test(message)) {
    return message
  }
  return 'Something went wrong. Please try again.'
}

/** The same where something could not be read: without a network nothing is wrong. */
export function readProblem(error: unknown): string {
  return isUnreachable(error) && isSurelyOffline() ? notHere : errorMessage(error)
}

export const notHere = 'You’re offline, and this isn’t saved on this device.'

/** Whether no answer came, because the network or the server is down. */
export function isUnreachable(error: unknown): boolean {
  const { message, name, status } = asBackendError(error)
  // supabase-js uses this error for a 500 too.
  if (name === 'AuthRetryableFetchError') return status !== 500
  const noAnswer = /failed to fetch|networkerror|load failed|network request failed|fetch failed/i
  return (status === undefined || status === 0) && noAnswer.test(String(message))
}

/** Why no answer came, to follow a sentence that already asks to try again. */
export function unreachableReason(error: unknown): string {
  // With a status, a proxy or our server without its database has answered.
  return asBackendError(error).status
    ? 'The server is not ready yet. Wait a moment.'
    : 'The server can’t be reached. Check your connection.'
}

/** Whether the database refused for a reason, so that a retry would fail again. */
export function isRefused(error: unknown): boolean {
  return /^PT4/.test(String(asBackendError(error).code))
}

/** Whether the session has ended. */
export function isSessionGone(error: unknown): boolean {
  const { code, status, name } = asBackendError(error)
  if (name === 'AuthSessionMissingError') return true
  const codes = ['PT401', 'PGRST301', 'PGRST303', 'bad_jwt', 'session_not_found', 'user_not_found']
  return codes.includes(String(code)) || status === 401
}

/** Whether a linked record was deleted in another window. */
export function isLinkMissing(error: unknown): boolean {
  return asBackendError(error).code === '23503'
}

/** The error for a write that returned no row: row-level security filters without an error. */
export function notFound(): Error {
  return Object.assign(new Error('This record no longer exists.'), { code: 'PGRST116' })
}

function asBackendError(error: unknown): BackendError {
  return typeof error === 'object' && error !== null ? error : { message: error }
}
