import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { showUndoToast } from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import type { Task } from '#features/tasks/index.ts'
import { callFunction } from '#lib/supabase.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'

/** How many there are, and how many of them are new: in the last 30 days, and in the 30 days before. */
type Added = { total: number; recent: number; before: number }

export type AttentionDeal = {
  id: string
  name: string
  value: number
  stage_name: string | null
  company_name: string | null
  has_next: boolean
  is_stale: boolean
  touched_at: string
}

/** What the database's `dashboard` answers; sums are text. */
export type Figures = {
  contacts: Added
  companies: Added
  deals: Added & {
    open: number
    value: string
    value_recent: string
    value_before: string
    won: string
  }
  has_tasks: boolean
  has_samples: boolean
  /** Due before today, the latest first, and how many there are in all. */
  overdue: { total: number; rows: Task[] }
  today: { total: number; rows: Task[] }
  /** Open deals that need a push, those worth most first. */
  attention: { total: number; rows: AttentionDeal[] }
}

export function useFigures() {
  const timeZone = useTimeZone()
  return useQuery({
    queryKey: ['dashboard', timeZone],
    queryFn: ({ signal }): Promise<Figures> =>
      callFunction('dashboard', { at: new Date().toISOString(), time_zone: timeZone }, signal),
    placeholderData: keepPreviousData,
    meta: { failed: 'Failed to fetch dashboard' },
  })
}

type Batch = { batch: string }

/** Loads the sample data or takes it away; either is one step that can be undone. */
export function useSampleData() {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const onUndone = () => readFromTheStart(queryClient)
  const load = useMutation({
    mutationFn: (): Promise<Batch> => callFunction('load_sample_data', { time_zone: timeZone }),
    meta: { failed: 'Failed to load sample data' },
    onSuccess: ({ batch }) =>
      showUndoToast({ message: 'Sample data loaded', batch: async () => batch, onUndone }),
    onSettled: onUndone,
  })
  const remove = useMutation({
    mutationFn: (): Promise<Batch> => callFunction('remove_sample_data', {}),
    meta: { failed: 'Failed to remove sample data' },
    onSuccess: ({ batch }) =>
      showUndoToast({ message: 'Sample data removed', batch: async () => batch, onUndone }),
    onSettled: onUndone,
  })
  return { load, remove }
}
