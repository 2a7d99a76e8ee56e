import { browserStorage } from './browser-storage.ts'

/**
 * Sessions that were left without a network, and that the server therefore still holds. Only what names them is kept, which
 * opens nothing.
 */
type Left = { account: string; session: string }

const place = 'solo-left-sessions'

/** Nobody leaves more often without ever being back. */
const most = 20

function read(): Left[] {
  try {
    return JSON.parse(browserStorage().getItem(place) ?? '[]')
  } catch {
    return []
  }
}

function write(left: Left[]): void {
  if (left.length === 0) browserStorage().removeItem(place)
  else browserStorage().setItem(place, JSON.stringify(left.slice(-most)))
}

/** Notes the session of a token; answers its id. */
export function noteLeft(token: string): string | null {
  try {
    const [, claims = ''] = token.split('.')
    const { sub, session_id } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')))
    if (!sub || !session_id) return null
    write([...read(), { account: sub, session: session_id }])
    return session_id
  } catch {
    return null
  }
}

/** The sessions of an account that are still to be ended. */
export function leftSessions(account: string): string[] {
  return read()
    .filter((left) => left.account === account)
    .map(({ session }) => session)
}

export function forgetLeft(sessions: readonly string[]): void {
  write(read().filter(({ session }) => !sessions.includes(session)))
}
