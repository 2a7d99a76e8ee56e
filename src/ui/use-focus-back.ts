import { useEffect, useState } from 'react'

/** For a dialog that is gone as soon as it is closed: the keyboard goes on where it was opened. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [opener])
}
