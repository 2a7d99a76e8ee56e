/** Too many requests wait for the database. */
export class QueueTooLong extends Error {
  override name = 'QueueTooLong'
  readonly code = '53300'
}

type Waiting = (release: () => void) => void

/** How many run at once; how many may wait, of one account and in all; and how long, in milliseconds. */
export type QueueLimits = {
  parallel: number
  mostOfOne: number
  mostOfAll: number
  patience: number
}

/**
 * A queue that serves the accounts in turn, one request each, so that a hundred requests of one account do not
 * delay the single request of another.
 */
export class FairQueue {
  readonly #limits: QueueLimits
  readonly #waiting = new Map<string, Waiting[]>()
  #running = 0
  #count = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#count
  }

  /** Waits for a turn and returns the function that ends it. The server's own work waits without a limit. */
  acquire({ who, isOwn }: { who: string; isOwn?: boolean }): Promise<() => void> {
    const { parallel, mostOfOne, mostOfAll, patience } = this.#limits
    if (this.#running < parallel) return Promise.resolve(this.#start())
    const line = this.#waiting.get(who) ?? []
    if (!isOwn && (line.length >= mostOfOne || this.#count >= mostOfAll)) {
      return Promise.reject(new QueueTooLong('Too many requests are waiting.'))
    }
    return new Promise((resolve, reject) => {
      const giveUp = isOwn
        ? undefined
        : setTimeout(() => {
            line.splice(line.indexOf(called), 1)
            this.#count -= 1
            reject(new QueueTooLong('The requests before this one take too long.'))
          }, patience)
      const called = (release: () => void) => {
        clearTimeout(giveUp)
        resolve(release)
      }
      line.push(called)
      this.#waiting.set(who, line)
      this.#count += 1
    })
  }

  #start(): () => void {
    this.#running += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#running -= 1
      this.#callNext()
    }
  }

  #callNext(): void {
    // The first in the map has waited longest since its last turn.
    for (const [who, line] of this.#waiting) {
      this.#waiting.delete(who)
      const next = line.shift()
      if (!next) continue
      if (line.length > 0) this.#waiting.set(who, line)
      this.#count -= 1
      next(this.#start())
      return
    }
  }
}
