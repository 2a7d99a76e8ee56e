import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { maybe } from '#lib/answers.ts'
import { callForJson } from '#lib/supabase.ts'

export type SimilarKind = 'contacts' | 'companies' | 'deals'

/** See the database's `similar_records`. */
const similar = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    about: maybe,
    reason: z.enum(['email', 'link', 'phone', 'website', 'name']),
  }),
)

export type Typed = Record<string, string | null>

/** The records that seem to be what is typed. It only helps, so a failure shows nothing and stops nobody. */
export function useSimilar(kind: SimilarKind, typed: Typed) {
  return useQuery({
    queryKey: ['similar', kind, typed],
    queryFn: ({ signal }) =>
      callForJson('similar_records', { kind, reported: typed }, similar, signal),
    enabled: Object.entries(typed).some(([name, value]) => value && !name.endsWith('_id')),
    staleTime: 5000,
    retry: false,
  })
}
