import { Navigate, Outlet, useLocation } from 'react-router'
import { lazyPart } from '#ui/lazy-part.tsx'
import { LoadingState } from '#ui/states.tsx'
import { useAuth } from './auth-provider.tsx'

const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain, {
  name: 'The sign-in form',
})

/** Allows only signed-in users; others go to /auth, with the address to return to. */
export function RequireUser() {
  const auth = useAuth()
  const { pathname, search, hash } = useLocation()
  if (auth.status === 'loading') return <LoadingState text="Loading..." isFullPage />
  // The key remounts everything when another account signs in, such as by a mail's link in another tab.
  if (auth.status === 'signed-in') {
    return (
      <>
        <Outlet key={auth.user.id} />
        {auth.hasEnded && <SignInAgain email={auth.user.email ?? ''} />}
      </>
    )
  }
  const next = new URLSearchParams({ next: pathname + search + hash })
  return (
    <>
      <LoadingState text="Redirecting to login..." isFullPage />
      <Navigate to={auth.isByChoice ? '/auth' : `/auth?${next}`} replace />
    </>
  )
}
