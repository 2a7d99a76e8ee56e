import { Button, CloseButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { minutesAway } from '#domain/call-length.ts'
import { askToLog } from '#features/timeline/index.ts'
import classes from './call-offer.module.css'

/** A number that was dialed, and how long the user was away. */
type Call = { number: string; minutes: string }

/** Offers to log a call when the user comes back from the phone: after a click on a number, wherever on the page it stands. */
export function CallOffer() {
  const [call, setCall] = useState<Call | null>(null)
  useEffect(() => {
    let dialed: { number: string; at: number } | null = null
    function press({ target }: MouseEvent): void {
      const link = target instanceof Element ? target.closest('a[href^="tel:"]') : null
      if (!link) return
      const number = (link.getAttribute('href') ?? '').slice('tel:'.length)
      dialed = { number, at: Date.now() }
    }
    function comeBack(): void {
      if (dialed === null || document.visibilityState !== 'visible') return
      setCall({ number: dialed.number, minutes: minutesAway(dialed.at, Date.now()) })
      dialed = null
    }
    // While it is captured: a link may keep its click from the rest of the page.
    document.addEventListener('click', press, true)
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('focus', comeBack)
    return () => {
      document.removeEventListener('click', press, true)
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('focus', comeBack)
    }
  }, [])
  return (
    <div role="status">
      {call && (
        <div className={classes.offer}>
          <span>
            You called <bdi dir="ltr">{call.number}</bdi>.
          </span>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setCall(null)
              askToLog('call', call.minutes)
            }}
          >
            Log this call
          </Button>
          <CloseButton size="sm" aria-label="Don’t log this call" onClick={() => setCall(null)} />
        </div>
      )}
    </div>
  )
}
