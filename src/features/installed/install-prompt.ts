import { useSyncExternalStore } from 'react'

/** What a browser that can install the app hands over; not among the types of the standard. */
type InstallPrompt = Event & { prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }> }

// Of the browser, not of an account: it outlives a sign-out.
let offered: InstallPrompt | null = null
const listeners = new Set<() => void>()

function offer(prompt: InstallPrompt | null): void {
  offered = prompt
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the browser offers to install the app. */
export function useIsInstallable(): boolean {
  return useSyncExternalStore(subscribe, () => offered !== null)
}

/** Keeps the browser's offer for the settings; by itself it would show a banner. Browsers make it once, early. */
export function watchInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => offer(null))
}

/** Shows the browser's question. An offer can be used once. */
export async function install(): Promise<void> {
  const prompt = offered
  offer(null)
  await prompt?.prompt()
}

/** iPhone and iPad install by their share menu alone. */
export function installsByMenu(): boolean {
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches
  const { userAgent, maxTouchPoints } = navigator
  // An iPad calls itself a Mac, which has no touch screen.
  const isPad = /Macintosh/.test(userAgent) && maxTouchPoints > 1
  return (isPad || /iPhone|iPad/.test(userAgent)) && !isInstalled
}
