import { Outlet } from 'react-router'
import { useAuth } from '#features/auth/index.ts'
import { LoadingState } from '#ui/states.tsx'
import { useArePreferencesKnown, useHabits } from './queries.ts'

/** Waits for the time zone and the formats, so that no date is shown in one and then in another. */
export function RequirePreferences() {
  const { user } = useAuth()
  const areKnown = useArePreferencesKnown(user?.id ?? '')
  const version = useHabits()
  return areKnown ? <Outlet key={version} /> : <LoadingState text="Loading..." isFullPage />
}
