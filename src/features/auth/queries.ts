import type { Session } from '@supabase/auth-js'
import type { MailLink } from '#domain/auth.ts'
import { authClient, isSessionFresh, whenLoaded } from '#lib/auth-client.ts'
import { isSessionGone } from '#lib/errors.ts'
import { forgetLeft, leftSessions } from '#lib/left-sessions.ts'
import { callFunction } from '#lib/supabase.ts'

type Credentials = { email: string; password: string }

/** Where the links of our mails come back to. */
function siteRoot(): string {
  return `${window.location.origin}/`
}

/**
 * Subscribes to the events of the client library, beginning with the stored session, from when the library is loaded:
 * `readSession` loads it.
 */
export function watchSession(
  onEvent: (event: string, session: Session | null) => void,
): () => void {
  let unsubscribe = () => {}
  const forget = whenLoaded((auth) => {
    const { data } = auth.onAuthStateChange((event, session) => {
      onEvent(event, session)
      // In a timer, against a deadlock: the library waits until this callback ends, and a request waits for the library.
      if (event === 'SIGNED_IN' && session) setTimeout(endLeftSessions, 0, session.user.id)
    })
    unsubscribe = () => data.subscription.unsubscribe()
  })
  return () => {
    forget()
    unsubscribe()
  }
}

/** Ends the sessions of an account that were left on this device without a network: the server still holds them. */
async function endLeftSessions(account: string): Promise<void> {
  const ids = leftSessions(account)
  if (ids.length === 0) return
  try {
    await callFunction('end_sessions', { ids })
    forgetLeft(ids)
  } catch {
    // The next sign-in tries again.
  }
}

/** Whether the stored session need not be looked up before the first screen is shown. */
export { isSessionFresh }

export async function readSession(): Promise<Session | null> {
  const { data, error } = await (await authClient()).getSession()
  if (error) throw error
  return data.session
}

/** Asks the backend whether the session is valid, and ends it here if not. */
export async function verifySession(): Promise<void> {
  const { error } = await (await authClient()).getUser()
  if (error && isSessionGone(error)) await (await authClient()).signOut({ scope: 'local' })
}

export async function signIn(credentials: Credentials): Promise<void> {
  const { error } = await (await authClient()).signInWithPassword(credentials)
  if (error) throw error
}

/** Returns whether the account can be used at once; false when the address must be confirmed first. */
export async function signUp({ email, password }: Credentials): Promise<boolean> {
  const { data, error } = await (await authClient()).signUp({
    email,
    password,
    options: { emailRedirectTo: siteRoot() },
  })
  if (error) throw error
  return data.session !== null
}

/**
 * Uses the link of a mail: 'begun' starts a session, 'noted' waits for a second link, 'void' was used or has expired.
 */
export async function followMailLink(link: MailLink): Promise<'begun' | 'noted' | 'void'> {
  const { data, error } = await (await authClient()).verifyOtp(link)
  if (error?.code === 'otp_expired') return 'void'
  if (error) throw error
  return data.session ? 'begun' : 'noted'
}

/** Ends the session of this browser, in all its windows; other devices stay signed in. */
export async function signOut(): Promise<void> {
  const { error } = await (await authClient()).signOut({ scope: 'local' })
  if (error) throw error
}

/** Null when the mail was sent; otherwise the seconds to wait, because there is a minute between mails. */
export async function sendConfirmationAgain(email: string): Promise<number | null> {
  const options = { emailRedirectTo: siteRoot() }
  const { error } = await (await authClient()).resend({ type: 'signup', email, options })
  if (error?.code === 'over_email_send_rate_limit') {
    // Only the message has the number of seconds.
    const [, seconds = '60'] = /(\d+) second/.exec(error.message) ?? []
    return Math.max(1, Number(seconds))
  }
  if (error) throw error
  return null
}

export async function sendRecovery(email: string): Promise<void> {
  const { error } = await (await authClient()).resetPasswordForEmail(email, {
    redirectTo: siteRoot(),
  })
  if (error) throw error
}

export async function setPassword(password: string): Promise<void> {
  const { error } = await (await authClient()).updateUser({ password })
  if (error) throw error
}

/** Revokes all access tokens of the account; false when that failed. */
export async function revokeTokens(): Promise<boolean> {
  return callFunction('revoke_access_tokens', {}).then(
    () => true,
    () => false,
  )
}
