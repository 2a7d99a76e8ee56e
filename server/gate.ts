/** Limits how many tasks of one account run at once; further ones wait for their turn, up to a limit. */
export type Gate = {
  /** Resolves when there is room, with a function to call when the task ends; null where too many wait. */
  enter(who: string): Promise<(() => void) | null>
}

export function createGate(atOnce: number, mostWaiting: number): Gate {
  const rooms = new Map<string, { inside: number; waiting: (() => void)[] }>()
  return {
    async enter(who) {
      const room = rooms.get(who) ?? { inside: 0, waiting: [] }
      rooms.set(who, room)
      if (room.inside < atOnce) room.inside += 1
      else if (room.waiting.length >= mostWaiting) return null
      // A task that ends hands its place to this one, so `inside` stays the same.
      else await new Promise<void>((resolve) => room.waiting.push(resolve))
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        const next = room.waiting.shift()
        if (next) next()
        else room.inside -= 1
        if (room.inside === 0) rooms.delete(who)
      }
    },
  }
}
