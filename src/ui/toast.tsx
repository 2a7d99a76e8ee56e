import { useEffect, useState } from 'react'
import { fetchCode } from './fetch-code.ts'
import { lazyPart } from './lazy-part.tsx'
import { whenIdle } from './when-idle.ts'

export type Toast = {
  title?: string
  message: string
  /** One action, such as Undo. */
  action?: { label: string; onClick: () => void }
  /** A second one, such as where to look. */
  also?: { label: string; onClick: () => void }
  isError?: boolean
  /** It stays until it is closed or its action is chosen. */
  stays?: boolean
  /** A new toast replaces the one of the same kind; without a kind, that with the same words. */
  kind?: string
}

const loadToasts = () => import('./toast-host.tsx')
const Toasts = lazyPart(async () => (await loadToasts()).Toasts)

let hasShown = false
let mountHost = () => {}

/** Shows a success message. */
export function showToast(toast: Toast): void {
  hasShown = true
  mountHost()
  fetchCode(loadToasts).then(
    ({ show }) => {
      show(toast)
      // Mount the host if loading it has failed before.
      Toasts.preload()
    },
    // Without its code no toast can be shown.
    () => {},
  )
}

/** Shows an error message, which stays longer. */
export function showError(message: string, title = 'Error'): void {
  showToast({ title, message, isError: true })
}

/** Removes all toasts, such as when another account takes over: they may name records of the one before. */
export function removeToasts(): void {
  if (!hasShown) return
  loadToasts().then(
    ({ removeAll }) => removeAll(),
    () => {},
  )
}

/**
 * The container of the toasts, mounted once in the app. Its code is not needed for the first screen, but must be loaded
 * before anything fails, such as the connection: it is loaded when `later` says so, or with the first toast.
 */
export function ToastHost({ later = whenIdle }: { later?: (run: () => void) => void }) {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    mountHost = () => setIsWanted(true)
    later(mountHost)
  }, [later])
  return isWanted ? <Toasts /> : null
}
