import { useFeedToken, useFeedWrite } from '#lib/feed-token.ts'
import { callFunction } from '#lib/supabase.ts'

const key = 'card-feed'

/** The secret part of the address of the user's cards, or null when there is none. */
export const useCardToken = () => useFeedToken('card_feeds', key)

/** Creates the address, or replaces the given one. */
export function useCreateCards() {
  return useFeedWrite(
    key,
    async (replacing: string | null) =>
      (await callFunction('create_card_feed', { replacing })).token,
    { failed: 'Failed to create the address' },
  )
}

export function useRevokeCards() {
  return useFeedWrite(
    key,
    async () => {
      await callFunction('revoke_card_feed', {})
      return null
    },
    { saved: 'Address revoked', failed: 'Failed to revoke the address' },
  )
}
