import { useEffect, useRef } from 'react'

/** What was edited has the focus again, unless the user has moved it. */
export function useEditedFocus(open: string | null) {
  const buttons = useRef(new Map<string, HTMLButtonElement | null>())
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (open !== null) wanted.current = open
    else if (wanted.current !== null) {
      const button = buttons.current.get(wanted.current)
      if (document.activeElement === document.body) button?.focus()
      wanted.current = null
    }
  }, [open])
  return {
    buttons,
    focusOn(key: string) {
      wanted.current = key
    },
  }
}
