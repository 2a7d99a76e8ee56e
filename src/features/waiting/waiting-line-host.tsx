import { useState } from 'react'
import { useWaiting } from '#lib/waiting-writes.ts'
import { lazyPart } from '#ui/lazy-part.tsx'

/** Also shown without a network: preloaded, with the list that it opens. */
export const Line = lazyPart(async () => (await import('./waiting-line.tsx')).WaitingLine)

/** Above every screen, once something waits. */
export function WaitingLine() {
  const isNeeded = useWaiting().length > 0
  // Stays mounted: the list of what waits may be open when the last one is sent.
  const [isWanted, setIsWanted] = useState(false)
  if (isNeeded && !isWanted) setIsWanted(true)
  return isWanted && <Line />
}
