import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** How long people need to notice that another row is under the pointer, and to hold back a click. */
const untilSeen = 700
/** The tremor of a resting hand, in pixels. */
const tremor = 8
/** The largest distance of two taps on one spot, in pixels. */
const spot = 24

type Aim = { x: number; y: number; row: string | null; at: number }

/**
 * Ignores clicks that were aimed at a row that has just moved away. Rows move under the pointer when one is completed,
 * added or removed; a click right after that would hit another row. Moving the pointer, or clicking again a moment
 * later, works. Each row has its `data-row`.
 */
export function useStaleClickGuard(element: RefObject<HTMLElement | null>, rows: unknown[]): void {
  const changed = useRef({ rows, at: Number.NEGATIVE_INFINITY })
  useLayoutEffect(() => {
    changed.current = { rows, at: performance.now() }
  }, [rows])
  useEffect(() => {
    const list = element.current
    let aim: Aim | null = null
    function aimAt(event: MouseEvent): void {
      const { clientX: x, clientY: y } = event
      aim = { x, y, row: rowOf(event), at: performance.now() }
    }
    const isOutdated = () => aim !== null && aim.at <= changed.current.at
    const isNear = ({ clientX, clientY }: MouseEvent, most: number) =>
      aim !== null && Math.hypot(clientX - aim.x, clientY - aim.y) <= most
    function follow(event: MouseEvent): void {
      if (!(isOutdated() && isNear(event, tremor))) aimAt(event)
    }
    function check(event: MouseEvent): void {
      // A click by keyboard is for the focused element, wherever it is.
      if (event.detail === 0) return
      const isRecent = performance.now() - changed.current.at < untilSeen
      const isMissed = isOutdated() && isNear(event, spot) && aim?.row !== rowOf(event)
      if (isRecent && isMissed) {
        event.preventDefault()
        event.stopPropagation()
      } else aimAt(event)
    }
    list?.addEventListener('pointermove', follow)
    list?.addEventListener('click', check, { capture: true })
    return () => {
      list?.removeEventListener('pointermove', follow)
      list?.removeEventListener('click', check, { capture: true })
    }
  }, [element])
}

function rowOf({ target }: MouseEvent): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return row?.dataset.row ?? null
}
