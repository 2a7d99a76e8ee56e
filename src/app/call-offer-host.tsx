import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { isRecordId } from '#lib/record-id.ts'
import { lazyPart } from '#ui/lazy-part.tsx'

const CallOffer = lazyPart(async () => (await import('./call-offer.tsx')).CallOffer)

/** The record whose number it is, and its page. */
type NumberOf = { id: string; path: string }

/** A number that was dialed, and how long the user was away. */
export type Call = {
  number: string
  record: NumberOf
  from: number
  until: number
}

/**
 * Mounted once in the workspace: offers to log a call when the user comes back from the phone, after a click on the
 * number of a record, wherever it stands.
 */
export function CallOfferHost() {
  const { pathname, search } = useLocation()
  const here = pathname + search
  const [call, setCall] = useState<Call | null>(null)
  useEffect(() => {
    let dialed: Omit<Call, 'until'> | null = null
    function press({ target }: MouseEvent): void {
      const link = target instanceof Element ? target.closest('a[href^="tel:"]') : null
      const record = link && recordOf(link, here)
      if (!record) return
      const number = (link.getAttribute('href') ?? '').slice('tel:'.length)
      dialed = { number, record, from: Date.now() }
    }
    function comeBack(): void {
      if (dialed === null || document.visibilityState !== 'visible') return
      setCall({ ...dialed, until: Date.now() })
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
  }, [here])
  return <div role="status">{call && <CallOffer call={call} onClose={() => setCall(null)} />}</div>
}

/** Whose number it is: that of its row or card, or of the page on the screen. */
function recordOf(number: Element, here: string): NumberOf | null {
  const row = number.closest('tr, article, li')?.querySelector('a[data-row-link]')
  const path = row?.getAttribute('href') ?? here
  const id = /^\/app\/(?:contacts|companies|deals)\/([^/?]+)/.exec(path)?.[1] ?? ''
  return isRecordId(id) ? { id, path } : null
}
