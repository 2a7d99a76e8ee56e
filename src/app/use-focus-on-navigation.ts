import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { hasDialog } from '#ui/has-dialog.ts'
import { useIsNavigating } from '#ui/navigation.ts'

/** Moves the focus to the new screen after a navigation. */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const isLoading = useIsNavigating()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  // A dialog in which the link was chosen closes by itself. True also when no code has to be loaded.
  const hadDialog = useRef(true)
  useEffect(() => {
    if (isLoading) hadDialog.current = hasDialog()
  }, [isLoading])
  useEffect(() => {
    if (shown.current === pathname) return
    // What was asked for by a shortcut of the installed app opens over the screen, and takes the focus.
    const isFromOutside = shown.current.startsWith('/app/open/')
    shown.current = pathname
    if (isFromOutside) return
    const isOpenedMeanwhile = !hadDialog.current && hasDialog()
    hadDialog.current = true
    // The screen loaded late, and the user has opened a dialog meanwhile.
    if (isOpenedMeanwhile) return
    // After Back the list has focused its row already, and the form of a timeline its text when it was asked for.
    if (main.current?.querySelector('[data-row-link]:focus, textarea:focus')) return
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
