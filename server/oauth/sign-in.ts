import type { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import type { HttpEnv } from '../http-env.ts'
import type { SignIn } from './answers.ts'

const session = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) })
const refusal = z.object({ error_code: z.string().nullish(), msg: z.string() })

/**
 * Asks our own sign-in, so that its limits count these attempts too, and whatever it refuses is refused here. The session
 * that comes of it is ended at once: only the proof was needed.
 */
export function signInThrough(routes: Hono<HttpEnv>, publicKey: string): SignIn {
  return async (c, email, password) => {
    const send = (path: string, headers: Record<string, string>, body?: string) => {
      const request = new Request(`http://localhost/auth/v1/${path}`, {
        method: 'POST',
        headers: { apikey: publicKey, ...forwarded, ...headers },
        ...(body === undefined ? {} : { body }),
      })
      return routes.fetch(request, c.env)
    }
    const hops = c.req.header('x-forwarded-for')
    const forwarded: Record<string, string> = hops === undefined ? {} : { 'x-forwarded-for': hops }
    const type = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password })
    const response = await send('token?grant_type=password', type, body)
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) {
      const { access_token: token, user } = session.parse(answer)
      await send('logout?scope=local', { authorization: `Bearer ${token}` })
      return { account: user.id }
    }
    const { error_code, msg } = refusal.safeParse(answer).data ?? { msg: 'Try again in a moment.' }
    const isWrong = error_code === 'invalid_credentials' || response.status === 400
    const wait = response.headers.get('retry-after')
    if (wait) c.header('Retry-After', wait)
    const words =
      error_code === 'email_not_confirmed'
        ? 'Confirm your email address first, with the link that we sent you.'
        : isWrong
          ? 'Wrong email or password.'
          : msg
    const status = isWrong ? 422 : (response.status as ContentfulStatusCode)
    return { status, problem: `${words} Nothing was connected yet.` }
  }
}
