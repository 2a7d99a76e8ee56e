import type { Context, MiddlewareHandler } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { SharedAttempts } from './backend/shared-attempts.ts'
import { clientAddress, limitKey } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'
import { consume, refuseForNow, secretPath, sha256, waitMessage } from './limits.ts'
import type { Settings } from './settings.ts'

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
 * Limits guesses: requests with a secret address or a token that does not exist. No other request counts. One client may
 * have no more requests unanswered than it has guesses left; the rest wait. So parallel guesses cannot exceed the limit,
 * and parallel requests with valid secrets are all answered. A secret that worked lately passes in any case, because
 * somebody else may guess from the same address.
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
