import { isKnownZone } from '#domain/dates.ts'
import { dateFormats, type Habits, numberFormats } from '#domain/habits.ts'
import type { Screens } from '#domain/remembered-screens.ts'
import { browserStorage } from '#lib/browser-storage.ts'
import { keepsData, preferencesPlace } from '#lib/device-store.ts'

export type Theme = 'light' | 'dark' | 'system'

export type Preferences = Habits & {
  display_name: string | null
  time_zone: string
  theme: Theme
  /** 0 is Sunday. */
  week_starts_on: number
  /** What one unit of another currency is worth in the account's. */
  rates: Record<string, number>
  /** In the account's currency; null without a goal. An older version remembers none. */
  monthly_goal?: number | null
  /** What is suggested when a deal is marked as lost. */
  lost_reasons: string[]
  /** How each list was last seen. An older version remembers none. */
  screens?: Screens
}

/** The preferences that this browser last saw, so that the first screen need not wait for them. */
export function rememberedPreferences(userId: string): Preferences | undefined {
  try {
    const kept: unknown = JSON.parse(browserStorage().getItem(preferencesPlace(userId)) ?? '')
    return arePreferences(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Checks stored preferences: an older version may have written less, or a zone may have been renamed. */
function arePreferences(kept: unknown): kept is Preferences {
  if (typeof kept !== 'object' || kept === null) return false
  const { time_zone, week_starts_on, theme, rates, lost_reasons } = kept as Partial<Preferences>
  return (
    typeof time_zone === 'string' &&
    isKnownZone(time_zone) &&
    typeof week_starts_on === 'number' &&
    typeof theme === 'string' &&
    typeof rates === 'object' &&
    Array.isArray(lost_reasons) &&
    areHabits(kept)
  )
}

function areHabits(kept: object): boolean {
  const { currency, number_format, date_format, clock } = kept as Partial<Habits>
  return (
    typeof currency === 'string' &&
    /^[A-Z]{3}$/.test(currency) &&
    numberFormats.some((each) => each === number_format) &&
    dateFormats.some((each) => each === date_format) &&
    (clock === 12 || clock === 24)
  )
}

export function rememberPreferences(userId: string, preferences: Preferences): void {
  if (!keepsData()) return
  browserStorage().setItem(preferencesPlace(userId), JSON.stringify(preferences))
}
