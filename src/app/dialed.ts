import { storedUser } from '#lib/stored-session.ts'
import type { Call } from './call-offer-host.tsx'

/** Of each account its own: the next one to sign in here is offered nobody else's call. */
const key = () => `dialed ${storedUser()?.id}`

/** In milliseconds; a longer call is logged by hand. */
const longest = 4 * 3_600_000

export function rememberDialed(call: Call | null): void {
  try {
    if (call) window.sessionStorage.setItem(key(), JSON.stringify(call))
    else window.sessionStorage.removeItem(key())
  } catch {
    // Without a store a call is forgotten with the page.
  }
}

/** The call that was neither logged nor declined when the page ended; it lasted until now at most. */
export function dialedBefore(): Call | null {
  try {
    // Written above, in this browser.
    const call = JSON.parse(window.sessionStorage.getItem(key()) ?? 'null') as Call | null
    if (!call || Date.now() - call.from > longest) return null
    return { ...call, until: call.until ?? Date.now() }
  } catch {
    return null
  }
}
