import { unreachable } from './public-error.ts'

/** For a database that is away; of many ways in which it can be, the library answers 500. */
export function unavailable(): Response {
  const { status, message } = unreachable
  return Response.json({ code: '57P03', error_code: '57P03', message, msg: message }, { status })
}

/** Programs wait as long as they are told. */
export function withRetryAfter(response: Response): Response {
  if (response.headers.has('retry-after')) return response
  const answer = new Response(response.body, response)
  answer.headers.set('retry-after', '2')
  return answer
}

/** To an account whose statements took too long. */
export function answerPause(seconds: number): Response {
  const message = `What you asked for took too long, more than once. Nothing was saved; try again in ${seconds} seconds.`
  return Response.json(
    { code: '57014', error_code: '57014', message, msg: message },
    { status: 503, headers: { 'Retry-After': String(seconds) } },
  )
}

/** A failure that nobody foresaw, or a hint for developers, says nothing of the inside. */
export function withoutInternals(response: Response): Response {
  const message =
    response.status === 500
      ? 'Something went wrong on the server. Nothing was saved; try again.'
      : response.status === 300
        ? 'The request can be read in more than one way.'
        : null
  if (message === null) return response
  const code = response.status === 500 ? 'XX000' : 'PGRST201'
  // Both shapes: what /rest/v1 and what /auth/v1 answer with.
  return Response.json(
    { code, message, msg: message, details: null, hint: null },
    { status: response.status },
  )
}
