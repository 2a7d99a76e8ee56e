import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The saved scroll position of the list, which is saved again when the page is left. */
export function useKeptPlace(scroller: RefObject<HTMLElement | null>, placeKey: string): number {
  const name = `place of ${placeKey}`
  const [initialOffset] = useState(() => placeIn(name))
  useEffect(() => keepPlace(scroller.current, name, 'scrollTop'), [scroller, name])
  return initialOffset
}

/** The same for sideways scrolling. */
export function useSidewaysPlace(scroller: RefObject<HTMLElement | null>, placeKey: string): void {
  const name = `place of ${placeKey}`
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = placeIn(name)
  }, [scroller, name])
  useEffect(() => keepPlace(scroller.current, name, 'scrollLeft'), [scroller, name])
}

function placeIn(name: string): number {
  try {
    return Number(window.sessionStorage.getItem(name) ?? 0)
  } catch {
    return 0
  }
}

function keepPlace(
  element: HTMLElement | null,
  name: string,
  axis: 'scrollTop' | 'scrollLeft',
): (() => void) | undefined {
  if (!element) return
  function keep(): void {
    try {
      window.sessionStorage.setItem(name, String(Math.round(element?.[axis] ?? 0)))
    } catch {
      // Without storage, a list begins at its top.
    }
  }
  element.addEventListener('scrollend', keep)
  // Save before a click on a link.
  element.addEventListener('pointerdown', keep)
  element.addEventListener('keydown', keep)
  return () => {
    element.removeEventListener('scrollend', keep)
    element.removeEventListener('pointerdown', keep)
    element.removeEventListener('keydown', keep)
  }
}

/** The width of an element and its offset on the page. */
export function usePlace<Place extends HTMLElement>() {
  const element = useRef<Place>(null)
  const [place, setPlace] = useState(() => ({ width: window.innerWidth, top: 0 }))
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const measure = () => {
      const width = measured.clientWidth
      const top = Math.round(measured.getBoundingClientRect().top + window.scrollY)
      setPlace((now) => (now.width === width && now.top === top ? now : { width, top }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    // Content above the list may change its offset.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { element, ...place }
}
