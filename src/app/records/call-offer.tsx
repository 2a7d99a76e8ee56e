import { Button, CloseButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { askToLog } from '#features/timeline/index.ts'
import classes from './call-offer.module.css'

/** Offers to log a call when the user comes back from the phone: after a click on a number, wherever on the page it stands. */
export function CallOffer() {
  const [number, setNumber] = useState<string | null>(null)
  useEffect(() => {
    let dialed: string | null = null
    function press({ target }: MouseEvent): void {
      const link = target instanceof Element ? target.closest('a[href^="tel:"]') : null
      if (link) dialed = (link.getAttribute('href') ?? '').slice('tel:'.length)
    }
    function comeBack(): void {
      if (dialed === null || document.visibilityState !== 'visible') return
      setNumber(dialed)
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
      {number !== null && (
        <div className={classes.offer}>
          <span>
            You called <bdi dir="ltr">{number}</bdi>.
          </span>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setNumber(null)
              askToLog('call')
            }}
          >
            Log this call
          </Button>
          <CloseButton size="sm" aria-label="Don’t log this call" onClick={() => setNumber(null)} />
        </div>
      )}
    </div>
  )
}
