import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { supabase } from './supabase.ts'

/**
 * The secret part of an address from which another program reads, such as a calendar. `table` has one row for an account
 * that has an address, and `key` is the query's.
 */
export function useFeedToken(table: 'calendar_feeds' | 'card_feeds', key: string) {
  return useQuery({
    queryKey: [key],
    async queryFn({ signal }) {
      const { data, error } = await supabase()
        .from(table)
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

/** Creates, replaces or revokes the address; `write` answers with the new secret part, or null. */
export function useFeedWrite<Asked>(
  key: string,
  write: (asked: Asked) => Promise<string | null>,
  meta: { saved?: string; failed: string },
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: write,
    async onSuccess(token) {
      // A read under way would overwrite it with the old one.
      await queryClient.cancelQueries({ queryKey: [key] })
      queryClient.setQueryData([key], token)
    },
    meta,
  })
}
