import { useEffect, useRef, useState } from 'react'

/** For a dialog that is gone as soon as it is closed: the keyboard goes on where it was opened. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      // Who has gone on elsewhere, such as to another screen, is not called back.
      const isLost = document.activeElement === null || document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opener])
}

/**
 * For a dialog that others open over: when they are closed, the keyboard goes on where it was. The trap of the focus,
 * which is set anew then, would take it to the first field.
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
    // The trap takes its time too, and was set before.
    const timer = setTimeout(() => element.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [isCovered])
}
