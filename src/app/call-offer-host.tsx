import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { isRecordId } from '#lib/record-id.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { dialedBefore, rememberDialed } from './dialed.ts'

const CallOffer = lazyPart(async () => (await import('./call-offer.tsx')).CallOffer)

/** The record that a phone number belongs to: its id, the path of its page, and the name of the person called. */
type NumberOf = { id: string; path: string; name: string }

/** A number that was dialed, as it is written; `until` is known once the call seems to be over. */
export type Call = {
  number: string
  record: NumberOf
  from: number
  until?: number
}

/**
 * Mounted once in the workspace: offers to log a call after a click on the number of a record, wherever it stands. A phone
 * may end the page during the call, so the call outlives it.
 */
export function CallOfferHost() {
  const { pathname, search } = useLocation()
  const here = useRef('')
  const [call, setCall] = useState(dialedBefore)
  useEffect(() => {
    here.current = pathname + search
  }, [pathname, search])
  useEffect(() => {
    function press({ target }: MouseEvent): void {
      const link =
        target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="tel:"]') : null
      const record = link && recordOf(link, here.current)
      if (!record) return
      // The button "Call" of a record page keeps the number in data-number, because its text is not the number.
      const { number: written = link.textContent } = link.dataset
      const number = /\d/.test(written) ? written : (link.getAttribute('href') ?? '').slice(4)
      const dialed = { number, record, from: Date.now() }
      rememberDialed(dialed)
      setCall(dialed)
    }
    // In the capture phase, because a link may stop its click from bubbling.
    document.addEventListener('click', press, true)
    return () => document.removeEventListener('click', press, true)
  }, [])
  function close(): void {
    rememberDialed(null)
    setCall(null)
  }
  return (
    <div role="status">{call && <CallOffer key={call.from} call={call} onClose={close} />}</div>
  )
}

/** The record that a clicked number belongs to: that of its row or card, otherwise that of the page. */
function recordOf(number: HTMLElement, here: string): NumberOf | null {
  const row = number.closest('tr, article, li')?.querySelector('a[data-row-link]')
  const path = row?.getAttribute('href') ?? here
  const id = /^\/app\/(?:contacts|companies|deals)\/([^/?]+)/.exec(path)?.[1] ?? ''
  const title = row ?? document.querySelector('main h1')
  const name = number.dataset.person ?? title?.textContent.trim() ?? ''
  return isRecordId(id) ? { id, path, name } : null
}
