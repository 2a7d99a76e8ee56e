import { useFeedToken, useFeedWrite } from '#lib/feed-token.ts'
import { callFunction } from '#lib/supabase.ts'

const key = 'calendar-feed'

/** The secret part of the user's calendar address, or null when there is none. */
export const useCalendarToken = () => useFeedToken('calendar_feeds', key)

/** Creates the address, or replaces the given one. */
export function useCreateCalendar() {
  return useFeedWrite(
    key,
    async (replacing: string | null) =>
      (await callFunction('create_calendar_feed', { replacing })).token,
    { failed: 'Failed to create the calendar address' },
  )
}

export function useRevokeCalendar() {
  return useFeedWrite(
    key,
    async () => {
      await callFunction('revoke_calendar_feed', {})
      return null
    },
    { saved: 'Calendar address revoked', failed: 'Failed to revoke the calendar address' },
  )
}
