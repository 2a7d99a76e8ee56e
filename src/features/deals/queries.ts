import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { supabase } from '#lib/supabase.ts'

/** The deals that a search finds, for a field that chooses one. */
export function useDealChoices(search: string) {
  const { data, isFetching } = useQuery({
    queryKey: ['deals', 'choices', search],
    async queryFn({ signal }) {
      const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
      const { data: rows, error } = await supabase()
        .from('deals')
        .select('id, name')
        .ilike('name', pattern)
        .order('name')
        .order('id')
        .limit(20)
        .abortSignal(signal)
      if (error) throw error
      return rows
    },
    placeholderData: keepPreviousData,
    meta: { failed: 'Failed to fetch deals' },
  })
  const choices = (data ?? []).map(({ id, name }) => ({ id, label: name }))
  return { choices, isLoading: isFetching }
}

/** What a deal is called, of which only the id is known. */
export function useDealName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['deals', 'name', id],
    async queryFn({ signal }) {
      const { data: row, error } = await supabase()
        .from('deals')
        .select('name')
        .eq('id', id ?? '')
        .abortSignal(signal)
        .maybeSingle()
      if (error) throw error
      return row?.name ?? 'Deleted deal'
    },
    enabled: id !== undefined,
  })
  return data
}
