import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { callForJson } from '#lib/supabase.ts'
import { waitingCountsKey } from '#lib/waiting-counts.ts'

const counts = z.object({ proposals: z.number(), leads: z.number(), webhooks: z.number() })

/** What waits for the user. Every screen asks for this, so it is counts alone. */
export function useWaitingCounts(): z.output<typeof counts> {
  const { data = { proposals: 0, leads: 0, webhooks: 0 } } = useQuery({
    queryKey: waitingCountsKey,
    queryFn: ({ signal }) => callForJson('waiting_counts', {}, counts, signal),
    staleTime: 60_000,
  })
  return data
}
