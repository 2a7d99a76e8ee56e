import type { GoTrueClient } from '@supabase/auth-js'
import { backend, fetchAndNote, windowHeaders } from './backend.ts'
import { browserStorage } from './browser-storage.ts'
import { isUnreachable } from './errors.ts'
import { leavingFetch } from './leaving-fetch.ts'
import { whenAway } from './network.ts'
import {
  isBrought,
  lastingToken,
  sessionKey,
  sessionStorage,
  storedRefreshToken,
} from './stored-session.ts'

let client: Promise<GoTrueClient> | undefined

type Listener = (auth: GoTrueClient) => void
const listeners = new Set<Listener>()

/**
 * What signs in and out and renews the session. The first screen does without: its code is loaded when the screen has
 * its data, or when a session must be looked up, begun or renewed.
 */
export function authClient(): Promise<GoTrueClient> {
  client ??= load({
    storage: sessionStorage(),
    storageKey: sessionKey(),
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
  }).then(
    (loaded) => {
      for (const listener of listeners) listener(loaded)
      return loaded
    },
    (error: unknown) => {
      client = undefined
      throw error
    },
  )
  return client
}

/** Calls the listener once the client has loaded, before the code that asked for it runs on. The returned function cancels. */
export function whenLoaded(listener: Listener): () => void {
  // Throws at once when the settings cannot be read.
  backend()
  let isOver = false
  const once: Listener = (auth) => {
    if (!isOver) listener(auth)
  }
  if (client) client.then(once, () => listeners.add(once))
  else listeners.add(once)
  return () => {
    isOver = true
    listeners.delete(once)
  }
}

/** A second client that does not touch the user's session, such as to check a password. */
export function temporaryAuthClient(): Promise<GoTrueClient> {
  return load({
    storageKey: 'solo-passing',
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
}

type Options = NonNullable<ConstructorParameters<typeof GoTrueClient>[0]>

async function load(options: Options): Promise<GoTrueClient> {
  const { GoTrueClient: Client } = await import('@supabase/auth-js')
  const { url, key } = backend()
  return new Client({
    url: `${url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}`, ...windowHeaders },
    flowType: 'implicit',
    fetch: leavingFetch(fetchAndNote),
    ...options,
  })
}

/** Whether the stored session can be used as it is, without the code that renews it. */
export function isSessionFresh(): boolean {
  return !isBrought && lastingToken() !== null
}

/**
 * The token of the session; null without one, or when it is about to expire and nobody renews it. The library tries that for
 * half a minute; when it turns out that there is no network, nobody waits for it: the device may have the answer.
 */
export async function accessToken(): Promise<string | null> {
  if (isSessionFresh()) return lastingToken()
  const { away, stop } = whenAway()
  return Promise.race([renewedToken(), away.then(() => null)]).finally(stop)
}

/** One at a time. */
let renewing: Promise<string | null> | null = null

async function renewedToken(): Promise<string | null> {
  const { data, error } = await (await authClient()).getSession()
  if (data.session || !isUnreachable(error)) return data.session?.access_token ?? null
  // The library has tried in vain. For a minute it would not try again, although the network may be back.
  renewing ??= renew().finally(() => {
    renewing = null
  })
  return renewing
}

/** The library reads what is stored, so it has the new session at once. */
async function renew(): Promise<string | null> {
  const refresh_token = storedRefreshToken()
  if (!refresh_token) return null
  const { data } = await (await temporaryAuthClient()).refreshSession({ refresh_token })
  // Meanwhile the user has left, or another window was sooner.
  if (!data.session || storedRefreshToken() !== refresh_token) return lastingToken()
  browserStorage().setItem(sessionKey(), JSON.stringify(data.session))
  return data.session.access_token
}
