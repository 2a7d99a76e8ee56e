import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { maybe } from '#lib/answers.ts'
import { callForJson } from '#lib/supabase.ts'

const setting = z.object({ hour: z.nullable(z.number()), last_sent_at: maybe })
const key = ['mail-accounts', 'agenda']

/** At which hour the agenda is sent; null where it is off. */
export function useAgenda() {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callForJson('agenda_setting', {}, setting, signal),
    meta: { failed: 'Failed to fetch the agenda settings' },
  })
}

export function useSetAgenda() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (hour: number | null) =>
      callForJson('set_agenda', hour === null ? {} : { hour }, setting),
    onSuccess: (saved) => queryClient.setQueryData(key, saved),
    meta: {
      saved: 'Settings saved',
      failed: 'Failed to save the agenda settings',
      noUndo: 'Settings',
    },
  })
}
