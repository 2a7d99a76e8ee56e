import { RateLimiterMemory } from 'rate-limiter-flexible'

/**
 * Whoever asks for what takes too long, again and again, costs everybody a restart of the database each time.
 * The second within five minutes has its account wait for a minute.
 */
export class SlowAccounts {
  readonly #counter = new RateLimiterMemory({ points: 1, duration: 300, blockDuration: 60 })

  async note(who: string): Promise<void> {
    await this.#counter.consume(who).catch(() => {})
  }

  /** For how many seconds the account still has to wait. */
  async pause(who: string): Promise<number> {
    const known = await this.#counter.get(who)
    return known && known.consumedPoints > 1 ? Math.ceil(known.msBeforeNext / 1000) : 0
  }
}
