import { Outlet } from 'react-router'
import { useAuth } from '#features/auth/index.ts'
import { LoadingState } from '#ui/states.tsx'
import { useArePreferencesKnown } from './queries.ts'

/** Nothing is shown before the time zone is known: no figure is shown in one and then in another. */
export function RequirePreferences() {
  const { user } = useAuth()
  const areKnown = useArePreferencesKnown(user?.id ?? '')
  return areKnown ? <Outlet /> : <LoadingState text="Loading..." isFullPage />
}
