import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callFunction, supabase } from '#lib/supabase.ts'

const key = ['calendar-feed']

/** The secret part of the user's calendar address, or null when there is none. */
export function useCalendarToken() {
  return useQuery({
    queryKey: key,
    async queryFn({ signal }) {
      const { data, error } = await supabase()
        .from('calendar_feeds')
        .select('token')
        .abortSignal(signal)
        // The query client retries once; the library's own retries would take long.
        .retry(false)
        .maybeSingle()
      if (error) throw error
      return data?.token ?? null
    },
    // Always read it again: another window may have replaced it, and a copied address must work.
    staleTime: 0,
  })
}

/** Creates the address, or replaces the given one. */
export function useCreateCalendar() {
  return useTokenWrite(
    async (replacing: string | null) => {
      return (await callFunction('create_calendar_feed', { replacing })).token
    },
    { failed: 'Failed to create the calendar address' },
  )
}

export function useRevokeCalendar() {
  return useTokenWrite(
    async () => {
      await callFunction('revoke_calendar_feed', {})
      return null
    },
    { saved: 'Calendar address revoked', failed: 'Failed to revoke the calendar address' },
  )
}

function useTokenWrite<Asked>(
  write: (asked: Asked) => Promise<string | null>,
  meta: { saved?: string; failed: string },
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: write,
    async onSuccess(token) {
      // A read under way would overwrite it with the old one.
      await queryClient.cancelQueries({ queryKey: key })
      queryClient.setQueryData(key, token)
    },
    meta,
  })
}
