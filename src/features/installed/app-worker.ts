import { takeOver } from '#lib/take-over.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { showToast } from '#ui/toast.tsx'
import { losesByReload, reloadWithoutWarning } from '#ui/unload-warning.ts'
import { mayDiscardAll } from '#ui/use-leave-question.ts'

/** Asked for at most this often, when the user comes back to the window. */
const askEvery = 60 * 60 * 1000

/**
 * Starts the worker, which lets the app open without a network. A new version waits until the user agrees to reload: in
 * a window that is at work, code and text stay as they are.
 */
export function startWorker(): void {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || !serviceWorker) return
  serviceWorker
    .register('/worker.js', { updateViaCache: 'none' })
    .then(watch)
    // Without it the app works as before.
    .catch(() => {})
}

function watch(registration: ServiceWorkerRegistration): void {
  if (registration.waiting) offerReload(registration)
  registration.addEventListener('updatefound', () => {
    const next = registration.installing
    next?.addEventListener('statechange', () => {
      // Without a controller it is the first one, whose version is the one that runs.
      if (next.state === 'installed' && navigator.serviceWorker.controller)
        offerReload(registration)
    })
  })
  let askedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAt < askEvery) return
    askedAt = Date.now()
    // Without a network the next time will do.
    registration.update().catch(() => {})
  })
}

function offerReload(registration: ServiceWorkerRegistration): void {
  showToast({
    kind: 'new version',
    message: 'A new version of Solo CRM is ready.',
    action: { label: 'Reload', onClick: () => reload(registration) },
    stays: true,
  })
}

/** An upload, an import or a restore would stop, and a line of quick add that was not finished would be lost. */
async function mayStopAll(): Promise<boolean> {
  if (!losesByReload()) return true
  return confirmAction({
    title: 'Reload now?',
    body: 'Something is still running or unfinished: an upload, an import, a restore or a line to add. Reloading ends it.',
    confirm: 'Reload',
    cancel: 'Not now',
    isDangerous: true,
  })
}

async function reload(registration: ServiceWorkerRegistration): Promise<void> {
  if (!(await mayDiscardAll()) || !(await mayStopAll())) return offerReload(registration)
  // Another window may have let it take over already.
  if (!registration.waiting) return reloadWithoutWarning()
  navigator.serviceWorker.addEventListener('controllerchange', reloadWithoutWarning, { once: true })
  registration.waiting.postMessage(takeOver)
}
