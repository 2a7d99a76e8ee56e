import { QueueTooLong } from './fair-queue.ts'

/** The same number of one account may wait for the database. */
const mostWaiting = 200

type AccountState = {
  /** Requests that run or wait. */
  users: number
  running: number
  work: Promise<void> | null
  whenQuiet: () => void
}

/**
 * A lock for each account: requests share it, long work holds it exclusively. Long work waits for the requests
 * under way, and later requests wait for its end. Other accounts are not affected.
 */
export class AccountLock {
  readonly #accounts = new Map<string, AccountState>()

  /** Runs a request, after any long work of its account. */
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

  /** Runs long work while no request of its account runs. */
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
