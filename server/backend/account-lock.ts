import { QueueTooLong } from './fair-queue.ts'

/** As many of one account as wait for the database. */
const mostWaiting = 200

type AccountState = {
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
export class AccountLock {
  readonly #accounts = new Map<string, AccountState>()

  /** Runs a request beside others of the account, once no long work of it is under way. */
  shared<T>(account: string, request: () => Promise<T>): Promise<T> {
    return this.#use(account, async (state) => {
      if (state.work && state.users > mostWaiting) {
        throw new QueueTooLong('Too many requests wait for the work of their account.')
      }
      while (state.work) await state.work
      state.running += 1
      try {
        return await request()
      } finally {
        state.running -= 1
        if (state.running === 0) state.whenQuiet()
      }
    })
  }

  /** Runs long work of the account, alone. */
  exclusive<T>(account: string, work: () => Promise<T>): Promise<T> {
    return this.#use(account, async (state) => {
      while (state.work) await state.work
      let end = () => {}
      state.work = new Promise((resolve) => {
        end = resolve
      })
      const quiet = new Promise<void>((resolve) => {
        state.whenQuiet = resolve
      })
      try {
        if (state.running > 0) await quiet
        return await work()
      } finally {
        state.work = null
        end()
      }
    })
  }

  async #use<T>(account: string, use: (state: AccountState) => Promise<T>): Promise<T> {
    const state = this.#accounts.get(account) ?? {
      users: 0,
      running: 0,
      work: null,
      whenQuiet: () => {},
    }
    this.#accounts.set(account, state)
    state.users += 1
    try {
      return await use(state)
    } finally {
      state.users -= 1
      if (state.users === 0) this.#accounts.delete(account)
    }
  }
}
