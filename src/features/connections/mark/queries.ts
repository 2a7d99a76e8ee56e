import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { callForJson } from '#lib/supabase.ts'

const proposals = z.array(z.unknown())

/** How many proposals wait. Every screen asks for this, so it needs nothing of what shows them. */
export function useProposalCount(): number {
  const { data = 0 } = useQuery({
    queryKey: ['proposals', 'count'],
    queryFn: async ({ signal }) => (await callForJson('proposals', {}, proposals, signal)).length,
    staleTime: 60_000,
  })
  return data
}
