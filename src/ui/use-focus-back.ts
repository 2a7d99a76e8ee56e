import { useEffect, useState } from 'react'

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
