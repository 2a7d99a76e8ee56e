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
const secretPath = /^\/(?:calendar|cards|f|agenda)\//

type Guessing = {
  /** Whether a request with an answer was a guess; undefined where the answer does not tell. */
  isGuess(c: Context<HttpEnv>): boolean | undefined
  /** What the request shows as its only proof, if anything. */
  proofOf(c: Context<HttpEnv>): Promise<string | null> | string | null
}

/** With access tokens, and with the codes and refresh tokens of OAuth. */
export const guessedTokens: Guessing = {
  isGuess: (c) => c.get('isGuess'),
  proofOf: (c) => (c.req.path === '/oauth/token' ? secretInForm(c) : (c.get('token') ?? null)),
}

async function secretInForm(c: Context<HttpEnv>): Promise<string | null> {
  if (!c.req.raw.body) return null
  const text = await c.req.text()
  c.req.raw = new Request(c.req.raw, { body: text })
  const form = new URLSearchParams(text)
  return form.get('refresh_token') ?? form.get('code')
}

/** A secret address is its own proof. */
const secretAddress: Guessing = {
  isGuess: ({ res: { status } }) => (status === 404 ? true : status < 400 ? false : undefined),
  proofOf: (c) => c.req.path.replace(/\/thanks$/, ''),
}

/**
 * Limits requests for secret addresses, or with access tokens, that do not exist, which are guesses. Only those count. Of
 * what is not answered yet no more is let through than may still be wrong, and the rest waits: so many parallel guesses
 * all count, and many parallel hits are all answered. What worked lately passes, whoever else guesses at the same address.
 *
 * @param shared where several processes count together: asked after a guess only, so that a hit costs nothing more
 */
export function limitGuesses(
  settings: Pick<Settings, 'limits' | 'trustedProxies'>,
  { isGuess, proofOf }: Guessing = secretAddress,
  shared: SharedAttempts | null = null,
): MiddlewareHandler<HttpEnv> {
  const { windowSeconds, signIn } = settings.limits
  const counter = new RateLimiterMemory({ points: signIn, duration: windowSeconds })
  const together = shared?.('guess', signIn, windowSeconds)
  const proven = new Proven(windowSeconds)
  const turns = new Turns()

  /** Waits for a turn; returns the time to wait in milliseconds when the limit is reached. */
  async function enter(key: string): Promise<number | null> {
    for (;;) {
      const known = await counter.get(key)
      const wrong = known?.consumedPoints ?? 0
      if (known && wrong >= signIn) {
        turns.callNext(key)
        return known.msBeforeNext
      }
      if (turns.open(key) + wrong < signIn) {
        turns.start(key)
        return null
      }
      await turns.next(key)
    }
  }

  return async (c, next) => {
    const key = limitKey(clientAddress(c, settings.trustedProxies))
    const proof = await proofOf(c)
    const isKnown = proof !== null && proven.has(proof)
    const waitMs = isKnown ? null : await enter(key)
    if (waitMs !== null) {
      const seconds = Math.max(1, Math.ceil(waitMs / 1000))
      if (!secretPath.test(c.req.path)) return refuseForNow(c, seconds)
      return c.text(waitMessage(seconds), 429, {
        'Retry-After': String(seconds),
        'Cache-Control': 'no-store',
      })
    }
    try {
      await next()
      const wasGuess = isGuess(c)
      const worked = c.get('nextProof') ?? proof
      if (wasGuess === false && worked !== null) proven.add(worked)
      if (!wasGuess) return
      if (proof !== null) proven.delete(proof)
      await counter.penalty(key)
      const left = together && (await consume(together, key))
      if (left) await counter.block(key, Math.ceil(left / 1000))
    } finally {
      if (!isKnown) turns.end(key)
    }
  }
}

/** What has worked lately, as hashes. */
class Proven {
  readonly #until = new Map<string, number>()
  readonly #milliseconds: number

  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  has(proof: string): boolean {
    return (this.#until.get(sha256(proof)) ?? 0) > Date.now()
  }

  add(proof: string): void {
    const hash = sha256(proof)
    this.#until.delete(hash)
    this.#until.set(hash, Date.now() + this.#milliseconds)
    const [oldest] = this.#until.keys()
    if (this.#until.size > 10_000 && oldest !== undefined) this.#until.delete(oldest)
  }

  delete(proof: string): void {
    this.#until.delete(sha256(proof))
  }
}

/** The requests of an address that are not answered yet, and those that wait for them. */
class Turns {
  readonly #lines = new Map<string, { open: number; waiting: (() => void)[] }>()

  open(key: string): number {
    return this.#lines.get(key)?.open ?? 0
  }

  start(key: string): void {
    const line = this.#lines.get(key) ?? { open: 0, waiting: [] }
    line.open += 1
    this.#lines.set(key, line)
  }

  /** Waits until one of them is answered. */
  next(key: string): Promise<void> {
    return new Promise((resolve) => void this.#lines.get(key)?.waiting.push(resolve))
  }

  end(key: string): void {
    const line = this.#lines.get(key)
    if (line) line.open -= 1
    this.callNext(key)
  }

  callNext(key: string): void {
    const line = this.#lines.get(key)
    line?.waiting.shift()?.()
    if (line?.open === 0 && line.waiting.length === 0) this.#lines.delete(key)
  }
}

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
async function consume(counter: AttemptCounter, key: string): Promise<number | null> {
  try {
    await counter.consume(key)
    return null
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext
    throw refusal
  }
}

function refuseForNow(c: Context, seconds: number): Response {
  c.header('Retry-After', String(seconds))
  return refuse(c, 429, 'over_request_rate_limit', waitMessage(seconds))
}

function waitMessage(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `Too many attempts. Please wait ${wait} and try again.`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
