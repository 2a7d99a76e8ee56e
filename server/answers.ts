import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { DatabaseAway, unreachable } from './backend/public-error.ts'
import { describeError, logProblem } from './log.ts'

/**
 * A refusal in the shape that supabase-js reads on that path: GoTrue's on /auth/v1, PostgREST's on
 * /rest/v1, so that the browser shows our words instead of "unknown error". Programs get PostgREST's too.
 */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  errorCode: string,
  message: string,
): Response {
  c.header('Cache-Control', 'no-store')
  if (/^\/(?:rest\/v1|api\/v1|mail\/v1|mcp)\b/.test(c.req.path)) {
    return c.json({ code: errorCode, message, details: null, hint: null }, status)
  }
  return c.json({ code: status, error_code: errorCode, msg: message }, status)
}

/** Answers an unexpected error: no details for the client, only the error's name and code for the log. */
export function answerFailure(error: Error, c: Context): Response {
  const area = /^\/(?:(?:auth|rest|api|mail)\/v1|mcp)\b/.exec(c.req.path)?.[0] ?? 'page'
  // A request that the client aborted is no failure.
  if (!c.req.raw.signal.aborted) {
    logProblem(`${c.req.method} ${area} failed: ${describeError(error)}`)
  }
  if (error instanceof DatabaseAway) {
    return c.text(unreachable.message, 503, { 'Cache-Control': 'no-store' })
  }
  const message = 'Something went wrong on the server. Please try again.'
  if (area !== 'page') return refuse(c, 500, 'unexpected_failure', message)
  return c.text(message, 500, { 'Cache-Control': 'no-store' })
}
