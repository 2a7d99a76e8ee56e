import { Outlet } from 'react-router'
import { useAuth } from '#features/auth/index.ts'
import { LoadingState } from '#ui/states.tsx'
import { useArePreferencesKnown } from './queries.ts'

/** Waits for the time zone, so that no date is shown in one zone and then in another. */
export function RequirePreferences() {
  const { user } = useAuth()
  const areKnown = useArePreferencesKnown(user?.id ?? '')
  return areKnown ? <Outlet /> : <LoadingState text="Loading..." isFullPage />
}
