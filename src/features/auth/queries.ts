import { useQuery } from '@tanstack/react-query'
import { supabase } from '#lib/supabase.ts'

/** The session that this browser remembers, or null. */
export function useSession() {
  return useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function readSession() {
  const { data, error } = await supabase().auth.getSession()
  if (error) throw error
  return data.session
}
