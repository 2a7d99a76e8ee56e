import { useQuery } from '@tanstack/react-query'
import { supabase } from '#lib/supabase.ts'

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** How the user wants to see things. The first browser that asks tells its time zone. */
async function readPreferences(signal: AbortSignal) {
  const { data, error } = await supabase()
    .from('preferences')
    .select('time_zone, week_starts_on')
    .abortSignal(signal)
    .single()
  if (error) throw error
  if (data.time_zone) return data
  const time_zone = browserZone()
  // An unknown zone is no reason to show nothing; the next start tries again.
  await supabase().from('preferences').update({ time_zone }).is('time_zone', null)
  return { ...data, time_zone }
}

function usePreferences() {
  return useQuery({
    queryKey: ['preferences'],
    queryFn: ({ signal }) => readPreferences(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The time zone in which the user sees every date. */
export function useTimeZone(): string {
  return usePreferences().data?.time_zone ?? browserZone()
}

/** The first day of the week, 0 for Sunday. */
export function useWeekStart(): number {
  return usePreferences().data?.week_starts_on ?? 1
}
