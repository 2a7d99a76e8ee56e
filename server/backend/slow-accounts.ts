import { RateLimiterMemory } from 'rate-limiter-flexible'

/**
 * Counts statements that ran into the time limit: each costs everybody a restart of the embedded database. After
 * the second within five minutes the account has to wait for a minute.
 */
export class SlowAccounts {
  readonly #counter = new RateLimiterMemory({ points: 1, duration: 300, blockDuration: 60 })

  async note(who: string): Promise<void> {
    await this.#counter.consume(who).catch(() => {})
  }

  /** The seconds that the account still has to wait. */
  async pause(who: string): Promise<number> {
    const known = await this.#counter.get(who)
    return known && known.consumedPoints > 1 ? Math.ceil(known.msBeforeNext / 1000) : 0
  }
}
