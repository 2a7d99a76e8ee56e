import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatter, isKnownZone } from '#domain/dates.ts'
import {
  dateFormats,
  type Habits,
  habits,
  numberFormats,
  setHabits,
  usualHabits,
} from '#domain/habits.ts'
import { screensIn } from '#domain/remembered-screens.ts'
import type { ViewScreen } from '#domain/saved-view.ts'
import { callFunction, supabase } from '#lib/supabase.ts'
import {
  type Preferences,
  rememberedPreferences,
  rememberPreferences,
  type Theme,
} from './remembered.ts'
import { type ScreenChange, withUnsaved } from './unsaved-screens.ts'

export const preferencesKey = ['preferences']
const key = preferencesKey
const knownThemes: Theme[] = ['light', 'dark', 'system']
const browserZone = () => formatter('en-US', {}).resolvedOptions().timeZone

/** Reads the preferences of the account. The first browser sets the time zone. */
async function readPreferences(signal: AbortSignal): Promise<Preferences> {
  const { data: read, error } = await supabase()
    .from('preferences')
    .select(
      'user_id, display_name, time_zone, theme, week_starts_on, currency, rates, number_format, date_format, clock, monthly_goal, lost_reasons, screens',
    )
    .abortSignal(signal)
    .single()
  if (error) throw error
  const { user_id, ...stored } = read
  const data = {
    ...stored,
    rates: ratesIn(stored.rates),
    ...habitsIn(stored),
    screens: withUnsaved(user_id, screensIn(stored.screens)),
  }
  noteHabits(data)
  const theme = knownThemes.find((each) => each === data.theme) ?? 'system'
  if (data.time_zone) {
    const time_zone = isKnownZone(data.time_zone) ? data.time_zone : browserZone()
    return { ...data, time_zone, theme }
  }
  // Loaded only for new accounts.
  const { zoneOfToday } = await import('#domain/time-zones.ts')
  const time_zone = zoneOfToday(browserZone())
  // Ignore an error for an unknown zone; the next start tries again.
  await supabase().from('preferences').update({ time_zone }).is('time_zone', null)
  return { ...data, time_zone, theme }
}

/** The rates as numbers; the database keeps nothing else. */
function ratesIn(stored: unknown): Record<string, number> {
  const pairs = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, number] => typeof pair[1] === 'number'),
  )
}

type StoredHabits = { currency: string; number_format: string; date_format: string; clock: number }

/** A newer version may have formats that this one does not know. */
function habitsIn({ currency, number_format, date_format, clock }: StoredHabits): Habits {
  return {
    currency,
    number_format:
      numberFormats.find((each) => each === number_format) ?? usualHabits.number_format,
    date_format: dateFormats.find((each) => each === date_format) ?? usualHabits.date_format,
    clock: clock === 12 ? 12 : 24,
  }
}

let timesChanged = 0
let areApplied = false

const sameHabits = (one: Habits, other: Habits) =>
  one.currency === other.currency &&
  one.number_format === other.number_format &&
  one.date_format === other.date_format &&
  one.clock === other.clock

/** Counts when other habits are read than the screens show: they were changed elsewhere. */
function noteHabits(read: Habits): void {
  if (areApplied && !sameHabits(read, habits())) timesChanged += 1
}

/**
 * Applies the account's formats ("habits") to everything that is rendered after this call. The returned number changes when
 * mounted screens must be remounted, because the formats were changed elsewhere. After a change in this window that is not
 * needed: only the settings are on the screen, and they read the preferences.
 */
export function useHabits(): number {
  const { data } = usePreferences()
  const wanted = data ?? usualHabits
  if (!areApplied || !sameHabits(wanted, habits())) setHabits(habitsIn(wanted))
  areApplied = true
  return timesChanged
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
 * Whether the preferences of this account are known: at once if this browser remembers them (they are read again in the
 * background), otherwise after they were read or failed to.
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

/**
 * The currency and the rates are changed by functions of the database, because deals follow; how the lists were last
 * seen, one list at a time.
 */
type SavedPreferences = Partial<Omit<Preferences, 'currency' | 'rates' | 'screens'>>

async function savePreferences(changes: SavedPreferences): Promise<void> {
  const { data, error } = await supabase()
    .from('preferences')
    .update(changes)
    // Each account sees only its own row, but the backend refuses updates without a filter.
    .gte('week_starts_on', 0)
    .select('user_id')
  if (error) throw error
  if (data.length === 0) throw new Error('This account no longer exists. Nothing was saved.')
}

export async function saveScreen(
  account: string,
  screen: ViewScreen,
  change: ScreenChange,
): Promise<void> {
  await callFunction('remember_screen', { account, screen, ...change })
}

/** Reverts changes that could not be saved, unless they were changed again meanwhile. */
function withoutChanges(
  now: Preferences,
  changes: Partial<Preferences>,
  before: Preferences,
): Preferences {
  const lasting = Object.entries(now).map(([name, value]) => {
    const field = name as keyof Preferences
    // By content, because the cache holds a list as a copy.
    const isMine = field in changes && JSON.stringify(value) === JSON.stringify(changes[field])
    return [field, isMine ? before[field] : value]
  })
  return Object.fromEntries(lasting)
}

/** Saves preferences with an optimistic update. `saved` is the success message. */
export function useSavePreferences(saved?: string) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: key,
    // One after the other, so that the last choice wins.
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
      // Read again if a read was cancelled or the stored value is uncertain, but only after the last write.
      const isDoubtful = error !== null || !context?.before
      if (isDoubtful && queryClient.isMutating({ mutationKey: key }) === 1) {
        queryClient.invalidateQueries({ queryKey: key })
      }
    },
    meta: { ...(saved ? { saved } : {}), failed: 'Failed to save settings', noUndo: 'Settings' },
  })
  return mutateAsync
}

export function useTimeZone(): string {
  return usePreferences().data?.time_zone ?? browserZone()
}

/**
 * The time zone of a form. A form that begins with a time keeps its zone: in another zone that time would be another
 * moment.
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
