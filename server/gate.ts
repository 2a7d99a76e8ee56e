/** Lets so many things of each account happen at once; others wait for their turn, up to a limit. */
export type Gate = {
  /** Resolves when it is this one's turn, with what must be called at its end; null where too many wait. */
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
      // The place of the one that leaves is handed on.
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
