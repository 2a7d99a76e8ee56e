/** A page that is scrolled without a pause is never idle, and what waits for that is needed all the same. */
const LONGEST_WAIT_MS = 1000

/** Runs it as soon as the browser has nothing else to do, or a second later. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if (!('requestIdleCallback' in window)) setTimeout(run, LONGEST_WAIT_MS)
  else window.requestIdleCallback(run, { timeout: LONGEST_WAIT_MS })
}
