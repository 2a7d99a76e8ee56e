import { useEffect, useRef, useState } from 'react'

/** Returns the focus to where it was when a dialog unmounts on closing. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      // Only if nothing else has the focus by now, such as another screen.
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opener])
}

/**
 * Restores the focus in a dialog after another one over it closes. Mantine's focus trap would move it to the first
 * field.
 */
export function useFocusAfterCover(isCovered: boolean): void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    if (isCovered) {
      before.current = document.activeElement
      return
    }
    const element = before.current
    before.current = null
    if (!(element instanceof HTMLElement)) return
    // The trap uses a timer too, which was set before this one.
    const timer = setTimeout(() => element.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [isCovered])
}
