import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { placeOf } from '#ui/place-of.ts'
import type { Navigator } from './navigator.ts'

const key = 'solo-scroll-positions'
let positions: Record<string, number> = {}

/** Back shows a page where it was scrolled to, a new one its top. */
export function useScrollRestoration({ shown, onLeave }: Navigator): void {
  const location = useLocation()
  useLayoutEffect(() => {
    try {
      positions = JSON.parse(window.sessionStorage.getItem(key) ?? '{}')
    } catch {
      // Without storage a reload begins at the top.
    }
  }, [])
  useEffect(() => {
    function save(): void {
      const at = shown()?.location
      if (at) positions[placeOf(at)] = window.scrollY
      try {
        window.sessionStorage.setItem(key, JSON.stringify(positions))
      } catch {}
      window.history.scrollRestoration = 'auto'
    }
    window.history.scrollRestoration = 'manual'
    window.addEventListener('pagehide', save)
    const stop = onLeave((left) => {
      positions[placeOf(left)] = window.scrollY
    })
    return () => {
      window.removeEventListener('pagehide', save)
      stop()
      window.history.scrollRestoration = 'auto'
    }
  }, [shown, onLeave])
  useLayoutEffect(() => {
    const saved = positions[placeOf(location)]
    if (saved !== undefined) {
      window.scrollTo(0, saved)
      return
    }
    const named =
      location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (named) named.scrollIntoView()
    else if (!shown()?.keepsScroll) window.scrollTo(0, 0)
  }, [location, shown])
}
