import { lazy, Suspense, useEffect, useState } from 'react'

export type Toast = {
  title?: string
  message: string
  /** One thing to do about it, such as Undo. */
  action?: { label: string; onClick: () => void }
  isError?: boolean
}

const loadToasts = () => import('./toast-host.tsx')
const Toasts = lazy(loadToasts)

/** Says that something worked. */
export function showToast(toast: Toast): void {
  loadToasts().then(({ show }) => show(toast))
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
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    const load = () => loadToasts().then(() => setIsReady(true))
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(load)
    else setTimeout(load, 500)
  }, [])
  if (!isReady) return null
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  )
}
