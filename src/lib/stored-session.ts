import type { User } from '@supabase/auth-js'
import { browserStorage } from './browser-storage.ts'
import { isOffline } from './network.ts'
import { readPageSettings } from './page-settings.ts'

/** Where the client library keeps the session; the name is its own. */
export function sessionKey(): string {
  const { hostname } = new URL(readPageSettings().supabaseUrl || window.location.origin)
  return `sb-${hostname.split('.')[0]}-auth-token`
}

// A link of a mail brings a session of its own, perhaps of another account. The client library takes it out of the
// address, so look before it does.
export const isBrought = new URLSearchParams(window.location.hash.slice(1)).has('access_token')

/** The user of the stored session, before the server has confirmed it: the first answer shows whether it is still valid. */
export function storedUser(): User | null {
  try {
    const session = JSON.parse(browserStorage().getItem(sessionKey()) ?? '')
    return session.refresh_token && session.user?.id ? session.user : null
  } catch {
    return null
  }
}

/** By what the stored session is renewed. */
export function storedRefreshToken(): string | null {
  try {
    return JSON.parse(browserStorage().getItem(sessionKey()) ?? '').refresh_token ?? null
  } catch {
    return null
  }
}

/** The user at the start of the page. */
export function rememberedUser(): User | null {
  return isBrought ? null : storedUser()
}

/** The client library renews a token that has less left; in seconds. */
const renewedBefore = 90

/** The stored token, if it need not be renewed yet. */
export function lastingToken(): string | null {
  try {
    const session = JSON.parse(sessionStorage().getItem(sessionKey()) ?? '')
    const isLasting = session.expires_at - Date.now() / 1000 > renewedBefore
    return isLasting && session.refresh_token ? session.access_token : null
  } catch {
    return null
  }
}

/** Far enough that the library renews nothing; in seconds. */
const aWhile = 3600

/**
 * The storage of the client library. Without a network an expired token cannot be renewed, and the library would report
 * that nobody is signed in. So meanwhile it reads that the token holds; the server decides when it is reached again.
 */
export function sessionStorage(): ReturnType<typeof browserStorage> {
  const storage = browserStorage()
  return {
    getItem(name) {
      const text = storage.getItem(name)
      return text !== null && name === sessionKey() && isOffline() ? lasting(text) : text
    },
    setItem: (name, value) => storage.setItem(name, value),
    removeItem: (name) => storage.removeItem(name),
  }
}

function lasting(text: string): string {
  const now = Math.floor(Date.now() / 1000)
  try {
    const session = JSON.parse(text)
    return JSON.stringify({
      ...session,
      expires_at: Math.max(session.expires_at ?? 0, now + aWhile),
    })
  } catch {
    return text
  }
}
