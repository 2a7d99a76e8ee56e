import { Button, CloseButton } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { minutesAway } from '#domain/call-length.ts'
import { askToLog, useLogRequest } from '#features/timeline/index.ts'
import classes from './call-offer.module.css'
import type { Call } from './call-offer-host.tsx'
import { rememberDialed } from './dialed.ts'

type CallOfferProps = { call: Call; onClose: () => void }

/** In milliseconds. If the window still has the focus by then, the user calls on another device. */
const pickedUp = 1000
/** In milliseconds. A user who leaves the window later than this after dialing or coming back leaves for something else. */
const stillCalling = 60_000
/** The offer closes when the user opens more pages than this without an answer. */
const mostPages = 3

/** Offers to log a call that was made, on the record whose number it was. */
export function CallOffer({ call, onClose }: CallOfferProps) {
  const { number, record, from } = call
  const { isOffered, until } = useCall(call)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isPage = pathname.endsWith(`/${record.id}`)
  const { request } = useLogRequest(record.id)
  const pages = useRef(new Set<string>())
  const end = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOffered) return
    pages.current.add(pathname)
    if (pages.current.size > mostPages) end()
  }, [isOffered, pathname])
  useEffect(() => {
    // It is logged already, by the button or key of its page.
    if (isPage && request?.kind === 'call') end()
  }, [isPage, request])
  if (!isOffered) return null
  function log(): void {
    onClose()
    askToLog('call', { minutes: minutesAway(from, until ?? Date.now()), on: record.id })
    if (!isPage) navigate(record.path)
  }
  return (
    <div className={classes.offer} data-foot-bar>
      <span className={classes.words}>
        {'You called '}
        {record.name && (
          <>
            <bdi>{record.name}</bdi>
            {' on '}
          </>
        )}
        <bdi dir="ltr">{number}</bdi>.
      </span>
      <Button variant="default" size="compact-sm" onClick={log}>
        Log this call
      </Button>
      <CloseButton
        size="var(--solo-control-height)"
        iconSize={16}
        aria-label="Don’t log this call"
        onClick={onClose}
      />
    </div>
  )
}

/**
 * Decides when to offer the log entry, and when the call ended. The offer shows when the user comes back to the window, or
 * at once if the window keeps the focus. The user may first come back from a system question which program shall dial, so a
 * later return can still end the call.
 */
function useCall(call: Call): { isOffered: boolean; until: number | undefined } {
  const [isOffered, setIsOffered] = useState(call.until !== undefined)
  const [until, setUntil] = useState(call.until)
  useEffect(() => {
    let lastHere = call.until ?? call.from
    let leftAt: number | null = null
    function end(at: number): void {
      setUntil(at)
      rememberDialed({ ...call, until: at })
    }
    function leave(): void {
      clearTimeout(atOnce)
      leftAt ??= Date.now()
    }
    function comeBack(): void {
      if (document.visibilityState !== 'visible') {
        leave()
        return
      }
      clearTimeout(atOnce)
      setIsOffered(true)
      const now = Date.now()
      const isFirst = lastHere === call.from
      const isStillCalling = leftAt === null ? isFirst : leftAt - lastHere < stillCalling
      // Left soon after dialing: the call ends now. Left later: the call was on another device, and over when the user left.
      if (isStillCalling) end(now)
      else if (isFirst && leftAt !== null) end(leftAt)
      if (isStillCalling || isFirst) lastHere = now
      leftAt = null
    }
    const atOnce = setTimeout(() => setIsOffered(true), pickedUp)
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('focus', comeBack)
    window.addEventListener('blur', leave)
    return () => {
      clearTimeout(atOnce)
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('focus', comeBack)
      window.removeEventListener('blur', leave)
    }
  }, [call])
  return { isOffered, until }
}
