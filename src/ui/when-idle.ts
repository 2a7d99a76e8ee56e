/** Runs it as soon as the browser has nothing else to do. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run)
  else setTimeout(run, 500)
}
