import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callFunction } from '#lib/supabase.ts'

/** See the database's `search_everything` and `search_card`. */
export type Hit = {
  kind: 'contacts' | 'companies' | 'deals' | 'tasks'
  id: string
  title: string
  about: string | null
  /** 0 to 3 the better the lower, 4 when it is only similar; null without words. */
  rank: number | null
  /** Of a contact. */
  email?: string | null
  phone_number?: string | null
  /** Of a deal. */
  value?: number
  stage?: string | null
  /** Of a task. */
  due_date?: string | null
  completed?: boolean
}

/** What is found under the words; without any, what was last worked on. */
export function useHits(words: string) {
  return useQuery<Hit[]>({
    queryKey: ['search', words],
    queryFn: ({ signal }) => callFunction('search_everything', { words }, signal),
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
}
