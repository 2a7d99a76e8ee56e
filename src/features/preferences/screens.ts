import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { type SeenScreen, withSeen } from '#domain/remembered-screens.ts'
import type { ViewScreen } from '#domain/saved-view.ts'
import { useAuth } from '#features/auth/index.ts'
import { preferencesKey, saveScreen, usePreferences } from './queries.ts'
import type { Preferences } from './remembered.ts'
import { dropUnsaved, noteUnsaved, type ScreenChange, unsavedOf } from './unsaved-screens.ts'

const none: SeenScreen = { query: '', widths: {} }

/** How each list was last seen. */
export function useSeenScreens(): (screen: ViewScreen) => SeenScreen {
  const screens = usePreferences().data?.screens
  return useCallback((screen) => screens?.[screen] ?? none, [screens])
}

/** Several choices in a row are written once. */
const delay = 300
const timers = new Map<ViewScreen, ReturnType<typeof setTimeout>>()
/** Writes go one after the other, so that the last choice wins. */
let writes = Promise.resolve()

function send(account: string, screen: ViewScreen): void {
  if (!timers.has(screen)) return
  clearTimeout(timers.get(screen))
  timers.delete(screen)
  const change = unsavedOf(account, screen)
  writes = writes
    .then(() => saveScreen(account, screen, change))
    .then(
      () => dropUnsaved(account, screen, change),
      // No message: the list stays as it was chosen in this window, and the next change is sent with this one.
      () => {},
    )
}

/** Remembers a list as it is seen now: at once in this browser, a moment later for the account. */
export function useRememberScreen(screen: ViewScreen): (change: ScreenChange) => void {
  const queryClient = useQueryClient()
  const account = useAuth().user?.id ?? ''
  useEffect(() => {
    const sendNow = () => send(account, screen)
    window.addEventListener('pagehide', sendNow)
    return () => {
      window.removeEventListener('pagehide', sendNow)
      sendNow()
    }
  }, [account, screen])
  return useCallback(
    (change) => {
      queryClient.setQueryData<Preferences>(
        preferencesKey,
        (now) => now && { ...now, screens: withSeen(now.screens ?? {}, screen, change) },
      )
      noteUnsaved(account, screen, change)
      clearTimeout(timers.get(screen))
      timers.set(
        screen,
        setTimeout(() => send(account, screen), delay),
      )
    },
    [queryClient, account, screen],
  )
}
