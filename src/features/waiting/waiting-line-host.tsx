import { type ComponentType, useEffect, useState } from 'react'
import { useIsOffline } from '#lib/network.ts'
import { useWaiting } from '#lib/waiting-writes.ts'
import { fetchCode } from '#ui/fetch-code.ts'

/** Also shown without a network: preloaded, with the list that it opens. */
export const loadLine = () => fetchCode(() => import('./waiting-line.tsx'))

/** Above every screen, once something waits; it stays, because its list may be open when the last one is sent. */
export function WaitingLine() {
  const count = useWaiting().length
  const isOffline = useIsOffline()
  const [Line, setLine] = useState<ComponentType | null>(null)
  // Tried again whenever the network comes or goes, and with every write.
  const isTried = count > 0 && !Line && `${count} ${isOffline}`
  useEffect(() => {
    if (!isTried) return
    loadLine().then(
      (code) => setLine(() => code.WaitingLine),
      () => {},
    )
  }, [isTried])
  return Line && <Line />
}
