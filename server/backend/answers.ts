import { unreachable } from './public-error.ts'

/** The answer while the database cannot be reached; the library itself would often answer 500. */
export function unavailable(): Response {
  const { status, message } = unreachable
  return Response.json({ code: '57P03', error_code: '57P03', message, msg: message }, { status })
}

/** Tells clients when to retry. */
export function withRetryAfter(response: Response): Response {
  if (response.headers.has('retry-after')) return response
  const answer = new Response(response.body, response)
  answer.headers.set('retry-after', '2')
  return answer
}

/** The answer to an account whose statements took too long twice. */
export function answerPause(seconds: number): Response {
  const message = `What you asked for took too long, more than once. Nothing was saved; try again in ${seconds} seconds.`
  return Response.json(
    { code: '57014', error_code: '57014', message, msg: message },
    { status: 503, headers: { 'Retry-After': String(seconds) } },
  )
}

/** Replaces unexpected errors and developers' hints, which would reveal internals. */
export function withoutInternals(response: Response): Response {
  const message =
    response.status === 500
      ? 'Something went wrong on the server. Nothing was saved; try again.'
      : response.status === 300
        ? 'The request can be read in more than one way.'
        : null
  if (message === null) return response
  const code = response.status === 500 ? 'XX000' : 'PGRST201'
  // Has the fields of both /rest/v1 and /auth/v1 errors.
  return Response.json(
    { code, message, msg: message, details: null, hint: null },
    { status: response.status },
  )
}
