import type { User } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { waitForWrites, pauseReads, resumeReads } from '#lib/query-client.ts'
import { hasTypedText } from '#ui/use-leave-question.ts'
import { readSession, signOut, verifySession, watchSession } from './queries.ts'

export type AuthState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null; isByChoice: boolean }
  | {
      status: 'signed-in'
      user: User
      isRecovering: boolean
      /** The session is gone, and typed text waits on the screen for the same account: see decision 025. */
      hasEnded: boolean
    }

type Auth = AuthState & {
  /** Ends the session; throws when the backend cannot be told. */
  leave: () => Promise<void>
}

// The client library first tells of the session that a recovery link has brought, and only then that it is
// one: too late to stay on the page. Read here, before the client takes the address apart.
const brought = new URLSearchParams(window.location.hash.slice(1))
const isRecoveryLink = brought.has('access_token') && brought.get('type') === 'recovery'

const AuthContext = createContext<Auth | null>(null)

/** Who is signed in, for everything below: follows all events of the client library. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<AuthState>({ status: 'loading', user: null })
  const isLeaving = useRef(false)
  const isRemembered = useRef(false)
  const queryClient = useQueryClient()

  useEffect(() => {
    let userId: string | undefined
    let isTold = false
    function follow(event: string, user: User | undefined): void {
      isTold = true
      // Before the screens are gone, that would read again what is cleared.
      if (!user) pauseReads(queryClient)
      if (!user && userId && !isLeaving.current && hasTypedText()) {
        setState((before) =>
          before.status === 'signed-in' ? { ...before, hasEnded: true } : before,
        )
        return
      }
      // What one account has read must not show for the next.
      if (userId && user?.id !== userId) queryClient.clear()
      userId = user?.id
      if (user && !isLeaving.current) resumeReads(queryClient)
      isRemembered.current = event === 'INITIAL_SESSION'
      const isByChoice = isLeaving.current
      setState((before) => {
        if (!user) return { status: 'signed-out', user: null, isByChoice }
        const wasRecovering = before.status === 'signed-in' && before.isRecovering
        const isRecovering =
          event === 'PASSWORD_RECOVERY' ||
          (event === 'INITIAL_SESSION' && isRecoveryLink) ||
          (wasRecovering && event !== 'USER_UPDATED')
        return { status: 'signed-in', user, isRecovering, hasEnded: false }
      })
    }
    const stop = watchSession((event, session) => follow(event, session?.user))
    // Should the first event never come, the first look-up ends the loading.
    function followUntold(user: User | undefined): void {
      if (!isTold) follow('LOOK_UP', user)
    }
    readSession().then(
      (session) => followUntold(session?.user),
      () => followUntold(undefined),
    )
    return stop
  }, [queryClient])

  const leave = useCallback(async () => {
    isLeaving.current = true
    try {
      await waitForWrites(queryClient)
      await signOut()
    } catch (error) {
      // The screen stays, and what it was reading is read after all.
      resumeReads(queryClient)
      queryClient.invalidateQueries()
      throw error
    } finally {
      isLeaving.current = false
    }
  }, [queryClient])

  // A session from local storage may be forged or long gone: the backend is asked once. Not in the
  // event itself, during which the client library answers nothing.
  const userId = state.user?.id
  useEffect(() => {
    if (userId && isRemembered.current) verifySession()
  }, [userId])

  const hasSession = state.status === 'signed-in' && !state.hasEnded
  useVerifyOnReturn(hasSession, verifySession)

  const auth = useMemo(() => ({ ...state, leave }), [state, leave])
  return <AuthContext value={auth}>{children}</AuthContext>
}

/**
 * A session that was ended elsewhere, by a new password or "sign out everywhere", shows as soon as the
 * user comes back to this window, not only when he next saves something.
 */
function useVerifyOnReturn(isSignedIn: boolean, verify: () => Promise<void>): void {
  useEffect(() => {
    if (!isSignedIn) return
    let isAsking = false
    // Coming back to a tab is told twice, by the document and by the window.
    async function ask(): Promise<void> {
      if (isAsking || document.visibilityState !== 'visible') return
      isAsking = true
      await verify().finally(() => {
        isAsking = false
      })
    }
    document.addEventListener('visibilitychange', ask)
    window.addEventListener('focus', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      window.removeEventListener('focus', ask)
    }
  }, [isSignedIn, verify])
}

export function useAuth(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}
