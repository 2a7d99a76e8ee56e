import { AsyncLocalStorage } from 'node:async_hooks'

/** For whom the database works, and how long one statement may take, in milliseconds. */
export type Share = {
  who: string
  limit: number
  isOwn?: boolean
  /** The browser window that asks, as it calls itself. */
  window?: string | undefined
}

const shares = new AsyncLocalStorage<Share>()

/** The server's own work: migrations, copies, upkeep. */
const ownWork: Share = { who: 'the server', limit: 600_000, isOwn: true }

export function withShare<T>(share: Share, work: () => Promise<T>): Promise<T> {
  return shares.run(share, work)
}

export function currentShare(): Share {
  return shares.getStore() ?? ownWork
}
