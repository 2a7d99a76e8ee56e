import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { habits } from '#domain/habits.ts'
import { preferencesKey, usePreferences } from '#features/preferences/index.ts'
import { callForJson } from '#lib/supabase.ts'
import { readAgain } from '#lib/use-list-write.ts'

const rates = z.record(z.string(), z.number())

type Money = { currency: string; rates: Record<string, number> }

/** The currency of the account, and what one unit of others is worth in it. */
export function useMoney(): Money {
  const { data } = usePreferences()
  return { currency: data?.currency ?? habits().currency, rates: data?.rates ?? {} }
}

const totals = z.object({ uncounted: rates })

/** The currencies of deals that have no rate, with how many deals each has. */
export function useUncounted(): Record<string, number> | undefined {
  const { data } = useQuery({
    queryKey: ['deals', 'uncounted'],
    queryFn: ({ signal }) => callForJson('deal_totals', { filter: {} }, totals, signal),
    meta: { failed: 'Failed to fetch deals' },
  })
  return data?.uncounted
}

type Rate = { currency: string; rate: number | null }

/** Sets the rate of a currency, or forgets it; sums follow at once. */
export function useSetRate() {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: preferencesKey,
    scope: { id: 'preferences' },
    // The generated types do not know that an argument may be null.
    mutationFn: ({ currency, rate }: Rate) =>
      callForJson('set_rate', { currency, rate: rate as number }, rates),
    onSuccess: (now) => follow(queryClient, { rates: now }),
    meta: { saved: 'Rate saved', failed: 'Failed to save the rate', noUndo: 'Rates' },
  })
  return mutateAsync
}

/** The settings show the change before everything is read again, and keep their place. */
function follow(queryClient: QueryClient, changed: Partial<Money>): void {
  queryClient.setQueryData<Money>(preferencesKey, (now) => now && { ...now, ...changed })
  readAgain(queryClient)
}

type NewCurrency = {
  currency: string
  /** Whether deals without a currency keep the old one. */
  keep: boolean
  /** What one unit of the old currency is worth in the new one. */
  rate: number | null
}

/** Gives the account another currency; every deal follows in the same transaction. */
export function useChangeCurrency() {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: preferencesKey,
    scope: { id: 'preferences' },
    mutationFn: ({ currency, keep, rate }: NewCurrency) =>
      callForJson('change_currency', { currency, keep, ...(rate ? { rate } : {}) }, rates),
    onSuccess: (now, { currency }) => follow(queryClient, { currency, rates: now }),
    meta: { saved: 'Settings saved', failed: 'Failed to save settings', noUndo: 'Settings' },
  })
  return mutateAsync
}
