import { QueueTooLong } from './turns.ts'

/** As many of one account as wait for the database. */
const mostWaiting = 200

type Turns = {
  /** Whoever is served or waits. */
  users: number
  running: number
  work: Promise<void> | null
  whenQuiet: () => void
}

/**
 * Lets the long work of an account run alone among its requests: it waits for those under way, and those that
 * come later wait for its end. Nobody else is held up.
 */
export class AccountTurns {
  readonly #accounts = new Map<string, Turns>()

  /** Runs a request beside others of the account, once no long work of it is under way. */
  beside<T>(account: string, request: () => Promise<T>): Promise<T> {
    return this.#use(account, async (turns) => {
      if (turns.work && turns.users > mostWaiting) {
        throw new QueueTooLong('Too many requests wait for the work of their account.')
      }
      while (turns.work) await turns.work
      turns.running += 1
      try {
        return await request()
      } finally {
        turns.running -= 1
        if (turns.running === 0) turns.whenQuiet()
      }
    })
  }

  /** Runs long work of the account, alone. */
  alone<T>(account: string, work: () => Promise<T>): Promise<T> {
    return this.#use(account, async (turns) => {
      while (turns.work) await turns.work
      let end = () => {}
      turns.work = new Promise((resolve) => {
        end = resolve
      })
      const quiet = new Promise<void>((resolve) => {
        turns.whenQuiet = resolve
      })
      try {
        if (turns.running > 0) await quiet
        return await work()
      } finally {
        turns.work = null
        end()
      }
    })
  }

  async #use<T>(account: string, use: (turns: Turns) => Promise<T>): Promise<T> {
    const turns = this.#accounts.get(account) ?? {
      users: 0,
      running: 0,
      work: null,
      whenQuiet: () => {},
    }
    this.#accounts.set(account, turns)
    turns.users += 1
    try {
      return await use(turns)
    } finally {
      turns.users -= 1
      if (turns.users === 0) this.#accounts.delete(account)
    }
  }
}
