import type { User } from '@supabase/auth-js'
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
import { wipeDevice } from '#lib/device-store.ts'
import { pauseReads, resumeReads, waitForWrites } from '#lib/query-client.ts'
import { whenScreenHasRead } from '#lib/reads-settled.ts'
import { rememberedUser, storedUser } from '#lib/stored-session.ts'
import { withdrawQuestion } from '#ui/confirm.tsx'
import { removeToasts } from '#ui/toast.tsx'
import { hasTypedText } from '#ui/use-leave-question.ts'
import { whenIdle } from '#ui/when-idle.ts'
import { isSessionFresh, readSession, signOut, verifySession, watchSession } from './queries.ts'

export type AuthState =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null; isByChoice: boolean }
  | {
      status: 'signed-in'
      user: User
      isRecovering: boolean
      /** The session has ended, but typed text waits on the screen for the same account: see decision 025. */
      hasEnded: boolean
    }

type Auth = AuthState & {
  /** Ends the session; throws when the backend cannot be reached. */
  leave: () => Promise<void>
}

// The client library reports the session of a recovery link before the recovery itself, which is too late to stay on
// the page. So read the address here, before the client does.
const brought = new URLSearchParams(window.location.hash.slice(1))
const isRecoveryLink = brought.has('access_token') && brought.get('type') === 'recovery'

const AuthContext = createContext<Auth | null>(null)

/** Provides the signed-in user; follows all events of the client library. */
export function AuthProvider({ children }: { children: ReactNode }) {
  // Shown at once; whether the session holds is told by the first answer.
  const [remembered] = useState(rememberedUser)
  const [state, setState] = useState<AuthState>(() =>
    remembered
      ? { status: 'signed-in', user: remembered, isRecovering: false, hasEnded: false }
      : { status: 'loading', user: null },
  )
  const isLeaving = useRef(false)
  const queryClient = useQueryClient()

  useEffect(() => {
    let userId = remembered?.id
    let hasEvent = false
    function follow(event: string, told: User | undefined): void {
      // If the session could not be renewed because the server is away, the library keeps it, but at first reports none.
      const isAtStart = event === 'INITIAL_SESSION' || event === 'LOOK_UP'
      const user = told ?? (isAtStart ? (storedUser() ?? undefined) : undefined)
      hasEvent = true
      // Before the cache is cleared: otherwise the screens would read again.
      if (!user) pauseReads(queryClient)
      if (!user && userId && !isLeaving.current && hasTypedText()) {
        setState((before) =>
          before.status === 'signed-in' ? { ...before, hasEnded: true } : before,
        )
        return
      }
      // The data of one account must not show for the next.
      if (userId && user?.id !== userId) {
        queryClient.clear()
        withdrawQuestion()
        removeToasts()
      }
      userId = user?.id
      if (user && !isLeaving.current) resumeReads(queryClient)
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
    // If the first event never comes, the look-up of the session ends the loading.
    function followLookUp(user: User | undefined): void {
      if (!hasEvent) follow('LOOK_UP', user)
    }
    function lookUp(): void {
      readSession().then(
        (session) => followLookUp(session?.user),
        () => followLookUp(undefined),
      )
    }
    const leaving = new AbortController()
    if (remembered && isSessionFresh()) {
      whenScreenHasRead(queryClient, leaving.signal, whenIdle, lookUp)
    } else lookUp()
    return () => {
      leaving.abort()
      stop()
    }
  }, [queryClient, remembered])

  const account = state.user?.id
  const leave = useCallback(async () => {
    isLeaving.current = true
    try {
      await waitForWrites(queryClient)
      await signOut()
      if (account) await wipeDevice(account)
    } catch (error) {
      // The sign-out failed: the screen stays and continues reading.
      resumeReads(queryClient)
      queryClient.invalidateQueries()
      throw error
    } finally {
      isLeaving.current = false
    }
  }, [queryClient, account])

  const hasSession = state.status === 'signed-in' && !state.hasEnded
  useVerifyOnReturn(hasSession, verifySession)

  const auth = useMemo(() => ({ ...state, leave }), [state, leave])
  return <AuthContext value={auth}>{children}</AuthContext>
}

/**
 * Checks the session when the user returns to this window: it may have been ended elsewhere, by a new password or
 * "sign out everywhere".
 */
function useVerifyOnReturn(isSignedIn: boolean, verify: () => Promise<void>): void {
  useEffect(() => {
    if (!isSignedIn) return
    let isAsking = false
    // Returning to a tab fires two events, of the document and of the window.
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
