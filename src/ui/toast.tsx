import { useEffect, useState } from 'react'
import { fetchCode } from './fetch-code.ts'
import { lazyPart } from './lazy-part.tsx'
import { whenIdle } from './when-idle.ts'

export type Toast = {
  title?: string
  message: string
  /** One thing to do about it, such as Undo. */
  action?: { label: string; onClick: () => void }
  isError?: boolean
}

const loadToasts = () => import('./toast-host.tsx')
const Toasts = lazyPart(async () => (await loadToasts()).Toasts)

/** Says that something worked. */
export function showToast(toast: Toast): void {
  fetchCode(loadToasts).then(
    ({ show }) => {
      show(toast)
      // Should it have failed before, there is a place for it now.
      Toasts.preload()
    },
    // Without its code there is nothing to say it with.
    () => {},
  )
}

/** Says that something failed, and stays longer. */
export function showError(message: string, title = 'Error'): void {
  showToast({ title, message, isError: true })
}

/**
 * Stands once in the app, where toasts show. Their code is not needed for the first screen, but it
 * must be here before anything can fail, a connection included: it comes as soon as the page is idle.
 */
export function ToastHost() {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => whenIdle(() => setIsWanted(true)), [])
  return isWanted ? <Toasts /> : null
}
