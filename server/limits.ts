import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from './answers.ts'
import type { AttemptCounter, SharedAttempts } from './backend/shared-attempts.ts'
import type { Backend } from './backend/start-backend.ts'
import { isTokenRefresh } from './backend/token-refresh.ts'
import { clientAddress, limitKey } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'
import type { Settings } from './settings.ts'

type Purpose = 'signIn' | 'signUp' | 'verify' | 'mail'

/**
 * Rate limits for /auth/v1, because @supabase/lite has none: for passwords and codes, new accounts and mails. Each
 * is counted per address and per account, so neither one machine trying many accounts nor many machines trying
 * one gets far. The counters end with their window.
 *
 * @param shared where several processes count together
 */
export function limitAuth(
  settings: Pick<Settings, 'limits' | 'trustedProxies'>,
  shared: SharedAttempts | null = null,
): MiddlewareHandler<HttpEnv> {
  const { windowSeconds, signIn, signUp, mail } = settings.limits
  const points = { signIn, signUp, verify: signIn, mail }
  const counter = countWith(shared, windowSeconds)
  const counters = new Map<Purpose, AttemptCounter>()
  for (const purpose of ['signIn', 'signUp', 'verify', 'mail'] as const) {
    counters.set(purpose, counter(purpose, points[purpose]))
  }

  return async (c, next) => {
    const purpose = purposeOf(c)
    const counter = purpose && counters.get(purpose)
    if (!counter) return next()
    const keys = [`address ${limitKey(clientAddress(c, settings.trustedProxies))}`]
    const email = c.get('authBody')?.email
    // Hashed, so that keys are short and the memory holds no list of e-mail addresses.
    if (email) keys.push(`account ${sha256(email.trim().toLowerCase())}`)
    // Check the address first: a refused address must not use up the account's attempts.
    for (const key of keys) {
      const waitMs = await consume(counter, key)
      if (waitMs === null) continue
      const seconds = Math.max(1, Math.ceil(waitMs / 1000))
      return refuseForNow(c, seconds)
    }
    return next()
  }
}

/**
 * Limits data requests per minute, per address and per account: far above normal work, so that one program cannot
 * starve all others. `ofAccount` counts what comes with an access token, for its account, and returns the seconds to wait
 * when the limit is reached.
 */
export function limitRequests(
  settings: Pick<Settings, 'limits' | 'trustedProxies'>,
  backend: Pick<Backend, 'accountOf'>,
) {
  const { perAddress, perAccount } = settings.limits
  const addresses = new RateLimiterMemory({ points: perAddress, duration: 60 })
  const accounts = new RateLimiterMemory({ points: perAccount, duration: 60 })
  const all: MiddlewareHandler<HttpEnv> = async (c, next) => {
    const address = limitKey(clientAddress(c, settings.trustedProxies))
    const account = backend.accountOf(c.req.raw)
    const waitMs =
      (await consume(addresses, address)) ?? (account && (await consume(accounts, account)))
    if (!waitMs) return next()
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    c.header('Retry-After', String(seconds))
    const words = tooManyRequests(seconds)
    if (secretPath.test(c.req.path)) return c.text(words, 429, { 'Cache-Control': 'no-store' })
    return refuse(c, 429, 'over_request_rate_limit', words)
  }
  async function ofAccount(account: string): Promise<number | null> {
    const waitMs = await consume(accounts, account)
    return waitMs === null ? null : Math.max(1, Math.ceil(waitMs / 1000))
  }
  return { all, ofAccount }
}

export function tooManyRequests(seconds: number): string {
  return `Too many requests. Nothing was saved; try again in ${seconds} seconds.`
}

/** What is open to everybody who knows its address; people look at it in a browser. */
export const secretPath = /^\/(?:calendar|cards|f|agenda)\//

/** The most that one form takes in a window, of all addresses together, as a multiple of what one address may send. */
const formShare = 30

/**
 * Counts what is sent to forms: of one address to one form, and to one form by everybody. Returns the seconds to wait when
 * the limit is reached.
 *
 * @param shared where several processes count together
 */
export function limitForms(
  settings: Pick<Settings, 'limits' | 'trustedProxies'>,
  shared: SharedAttempts | null = null,
) {
  const { windowSeconds, form } = settings.limits
  const counter = countWith(shared, windowSeconds)
  const addresses = counter('form of address', form)
  const forms = counter('form', form * formShare)
  return async (c: Context<HttpEnv>, id: string): Promise<number | null> => {
    const address = limitKey(clientAddress(c, settings.trustedProxies))
    const waitMs = (await consume(addresses, `${address} ${id}`)) ?? (await consume(forms, id))
    return waitMs === null ? null : Math.max(1, Math.ceil(waitMs / 1000))
  }
}

/** Counts the programs that one address registers, as new accounts are counted. Returns the seconds to wait. */
export function limitRegistrations(
  settings: Pick<Settings, 'limits' | 'trustedProxies'>,
  shared: SharedAttempts | null = null,
) {
  const { windowSeconds, signUp } = settings.limits
  const addresses = countWith(shared, windowSeconds)('registration', signUp)
  return async (c: Context<HttpEnv>): Promise<number | null> => {
    const waitMs = await consume(addresses, limitKey(clientAddress(c, settings.trustedProxies)))
    return waitMs === null ? null : Math.max(1, Math.ceil(waitMs / 1000))
  }
}

/** Which limit a request to /auth/v1 falls under, if any. */
function purposeOf(c: Context<HttpEnv>): Purpose | null {
  const route = `${c.req.method} ${c.req.path.replace(/^\/auth\/v1/, '').replace(/\/+$/, '')}`
  switch (route) {
    case 'POST /token':
      return isTokenRefresh(c.req) ? null : 'signIn'
    case 'POST /signup':
      return 'signUp'
    // The token of a mail's link gives access to the account.
    case 'POST /verify':
      return 'verify'
    case 'POST /recover':
    case 'POST /resend':
    case 'POST /otp':
    case 'POST /magiclink':
    case 'GET /reauthenticate':
      return 'mail'
    case 'PUT /user':
      return c.get('authBody')?.email ? 'mail' : null
    default:
      return null
  }
}

/** Counters of a kind each: of all processes together, or of this one, where it is alone. */
function countWith(shared: SharedAttempts | null, duration: number) {
  return (kind: string, points: number): AttemptCounter =>
    shared?.(kind, points, duration) ?? new RateLimiterMemory({ points, duration })
}

/** Counts one attempt; returns the time to wait in milliseconds when the limit is reached. */
export async function consume(counter: AttemptCounter, key: string): Promise<number | null> {
  try {
    await counter.consume(key)
    return null
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext
    throw refusal
  }
}

export function refuseForNow(c: Context, seconds: number): Response {
  c.header('Retry-After', String(seconds))
  return refuse(c, 429, 'over_request_rate_limit', waitMessage(seconds))
}

export function waitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `Too many attempts. Please wait ${wait} and try again.`
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
