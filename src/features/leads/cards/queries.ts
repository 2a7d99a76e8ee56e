import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callFunction, supabase } from '#lib/supabase.ts'

const key = ['card-feed']

/** The secret part of the address of the user's cards, or null when there is none. */
export function useCardToken() {
  return useQuery({
    queryKey: key,
    async queryFn({ signal }) {
      const { data, error } = await supabase()
        .from('card_feeds')
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
export function useCreateCards() {
  return useTokenWrite(
    async (replacing: string | null) =>
      (await callFunction('create_card_feed', { replacing })).token,
    { failed: 'Failed to create the address' },
  )
}

export function useRevokeCards() {
  return useTokenWrite(
    async () => {
      await callFunction('revoke_card_feed', {})
      return null
    },
    { saved: 'Address revoked', failed: 'Failed to revoke the address' },
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
