/** A page that is scrolled all the time is never idle. */
const LONGEST_WAIT_MS = 1000

/** Runs when the browser is idle, at the latest after a second. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in window)) setTimeout(run, LONGEST_WAIT_MS)
  else window.requestIdleCallback(run, { timeout: LONGEST_WAIT_MS })
}
