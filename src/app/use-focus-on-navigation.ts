import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { hasDialog } from '#ui/has-dialog.ts'

/** After a change of screen the keyboard goes on from the screen, not from the link that led there. */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  // What a way was chosen in closes by itself. True also where no code has to come first.
  const hadDialog = useRef(true)
  useEffect(() => {
    if (state === 'loading') hadDialog.current = hasDialog()
  }, [state])
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const isOpenedMeanwhile = !hadDialog.current && hasDialog()
    hadDialog.current = true
    // The screen came late, and somebody types in the search already.
    if (isOpenedMeanwhile) return
    // A list that one comes back to has its row again already.
    if (main.current?.querySelector('[data-row-link]:focus')) return
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
