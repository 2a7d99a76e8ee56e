import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatter, isKnownZone } from '#domain/dates.ts'
import { supabase } from '#lib/supabase.ts'
import {
  type Preferences,
  rememberedPreferences,
  rememberPreferences,
  type Theme,
} from './remembered.ts'

const key = ['preferences']
const knownThemes: Theme[] = ['light', 'dark', 'system']
const browserZone = () => formatter('en-US', {}).resolvedOptions().timeZone

/** How the user wants to see things. The first browser that asks tells its time zone. */
async function readPreferences(signal: AbortSignal): Promise<Preferences> {
  const { data, error } = await supabase()
    .from('preferences')
    .select('display_name, time_zone, theme, week_starts_on')
    .abortSignal(signal)
    .single()
  if (error) throw error
  const theme = knownThemes.find((each) => each === data.theme) ?? 'system'
  if (data.time_zone) {
    const time_zone = isKnownZone(data.time_zone) ? data.time_zone : browserZone()
    return { ...data, time_zone, theme }
  }
  // Only a new account needs the names of today.
  const { zoneOfToday } = await import('#domain/time-zones.ts')
  const time_zone = zoneOfToday(browserZone())
  // An unknown zone is no reason to show nothing; the next start tries again.
  await supabase().from('preferences').update({ time_zone }).is('time_zone', null)
  return { ...data, time_zone, theme }
}

const preferencesQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => readPreferences(signal),
  staleTime: Number.POSITIVE_INFINITY,
})

export function usePreferences() {
  return useQuery(preferencesQuery)
}

/**
 * Whether it is known how this account wants to see things: at once where this browser remembers it, and it
 * is read again beside everything else; otherwise when it has been read, or cannot be.
 */
export function useArePreferencesKnown(userId: string): boolean {
  const { data, isFetchedAfterMount } = useQuery({
    ...preferencesQuery,
    initialData: () => rememberedPreferences(userId),
    refetchOnMount: 'always',
  })
  useEffect(() => {
    if (data) rememberPreferences(userId, data)
  }, [userId, data])
  return data !== undefined || isFetchedAfterMount
}

async function savePreferences(changes: Partial<Preferences>): Promise<void> {
  const { data, error } = await supabase()
    .from('preferences')
    .update(changes)
    // One row an account, and nobody sees another's; the backend refuses an update of everything.
    .gte('week_starts_on', 0)
    .select('user_id')
  if (error) throw error
  if (data.length === 0) throw new Error('Not authenticated')
}

/** What could not be saved is as before, unless it has been changed again meanwhile. */
function withoutChanges(
  now: Preferences,
  changes: Partial<Preferences>,
  before: Preferences,
): Preferences {
  const lasting = Object.entries(now).map(([name, value]) => {
    const field = name as keyof Preferences
    return [field, field in changes && value === changes[field] ? before[field] : value]
  })
  return Object.fromEntries(lasting)
}

/** Shows at once, and is taken back when it cannot be saved. `saved`: what to say when it is. */
export function useSavePreferences(saved?: string) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: key,
    // One after the other: what was chosen last is what stays.
    scope: { id: 'preferences' },
    mutationFn: savePreferences,
    onMutate: async (changes) => {
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient.getQueryData<Preferences>(key)
      if (before) queryClient.setQueryData(key, { ...before, ...changes })
      return { before }
    },
    onError(_error, changes, context) {
      queryClient.setQueryData<Preferences>(
        key,
        (now) => now && context?.before && withoutChanges(now, changes, context.before),
      )
    },
    onSettled(_answer, error, _changes, context) {
      // A reading was given up for it, or what is stored is not known for sure. The last one reads it again.
      const isDoubtful = error !== null || !context?.before
      if (isDoubtful && queryClient.isMutating({ mutationKey: key }) === 1) {
        queryClient.invalidateQueries({ queryKey: key })
      }
    },
    meta: { ...(saved ? { saved } : {}), failed: 'Failed to save settings' },
  })
  return mutateAsync
}

/** The time zone in which the user sees every date. */
export function useTimeZone(): string {
  return usePreferences().data?.time_zone ?? browserZone()
}

/**
 * The same for a form. One that begins with a time keeps the zone it was shown in: should another be read
 * later, that time would mean another moment.
 */
export function useFormTimeZone(hasTime: boolean): string {
  const timeZone = useTimeZone()
  const [first] = useState(timeZone)
  return hasTime ? first : timeZone
}

/** The first day of the week, 0 for Sunday. */
export function useWeekStart(): number {
  return usePreferences().data?.week_starts_on ?? 1
}
