import { accessToken } from './auth-client.ts'
import { readPageSettings } from './page-settings.ts'

/** Whether our own server answers the page: a hosted project has nobody who would read and send mail. */
export function hasOwnServer(): boolean {
  return readPageSettings().supabaseUrl === ''
}

/** Calls our own server for what the database cannot do, with the user’s session. A refusal throws the server’s words. */
export async function askServer(
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  const token = await accessToken()
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token ?? ''}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => null)
  const message =
    typeof answer === 'object' && answer !== null && 'message' in answer
      ? String(answer.message)
      : 'Something went wrong on the server. Please try again.'
  throw new Error(message)
}
