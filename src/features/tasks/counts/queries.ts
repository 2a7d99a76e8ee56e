import { keepPreviousData, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { z } from 'zod/mini'
import { countsAfter, nextDayBegins, taskCounts } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { maybe } from '#lib/answers.ts'
import { listKeys } from '#lib/list-source.ts'
import { callForJson } from '#lib/supabase.ts'
import { tick, useNow } from '#lib/use-now.ts'
// Its types only: the counters stand on every screen, the lists do not.
import type { Effect, Task } from '../queries.ts'
import { fetchFailed, tasksKey } from '../task-key.ts'

/** `next_due`: when the next task becomes overdue. */
const storedCounts = z.extend(taskCounts, { next_due: maybe })

export type StoredCounts = z.output<typeof storedCounts>

function useStoredCounts() {
  const timeZone = useTimeZone()
  return useQuery({
    queryKey: [...tasksKey, 'counts', timeZone],
    queryFn({ signal }) {
      const args = { at: new Date().toISOString(), time_zone: timeZone }
      return callForJson('task_counts', args, storedCounts, signal)
    },
    placeholderData: keepPreviousData,
    meta: { failed: fetchFailed },
  })
}

/** What writes make of single tasks that are not in what was read at this moment: under way, or done since. */
export function useNewerWrites(readAt: number): (Effect | undefined)[] {
  const writes = useMutationState({
    filters: { mutationKey: listKeys.write(tasksKey) },
    select: ({ state: { status, submittedAt, variables } }) => ({
      isNewer: status === 'pending' || (status === 'success' && submittedAt > readAt),
      // The writes in queries.ts tell what they make of one task.
      effect: (variables as { shown: { effect?: Effect } } | undefined)?.shown.effect,
    }),
  })
  return writes.filter(({ isNewer }) => isNewer).map(({ effect }) => effect)
}

/** Tasks that were read at this moment, as the writes since then make them; for lists that come with other figures. */
export function useTasksSince(tasks: Task[], readAt: number): Task[] {
  const writes = useNewerWrites(readAt)
  return tasks.flatMap((task) => {
    const last = writes.findLast((effect) => effect?.before?.id === task.id)
    return last ? (last.after ?? []) : task
  })
}

/** The counters of the screen, the feed and the panel. Writes under way are counted as if done. */
export function useTaskCounts(): { counts: StoredCounts | undefined; isWriting: boolean } {
  const { data, dataUpdatedAt } = useStoredCounts()
  const timeZone = useTimeZone()
  const now = useNow()
  const uncounted = useNewerWrites(dataUpdatedAt)
  const counts = uncounted.reduce(
    (sum, effect) => sum && (effect ? countsAfter(sum, effect, now, timeZone) : sum),
    data,
  )
  return { counts, isWriting: uncounted.length > 0 }
}

/** Stands once in the workspace: at the moment a task becomes overdue, or a day begins, all show it. */
export function useTaskClock(): void {
  const { data, dataUpdatedAt } = useStoredCounts()
  const timeZone = useTimeZone()
  const queryClient = useQueryClient()
  const nextDue = data?.next_due
  useEffect(() => {
    // Also after every answer, or the next moment would never be waited for.
    if (dataUpdatedAt === 0) return
    const now = Date.now()
    const moments = [nextDayBegins(now, timeZone), ...(nextDue ? [Date.parse(nextDue)] : [])]
    // One millisecond after: due is not yet overdue.
    const wait = Math.max(Math.min(...moments) - now + 1, 0)
    const timer = setTimeout(() => {
      tick()
      queryClient.invalidateQueries({ queryKey: tasksKey })
    }, wait)
    return () => clearTimeout(timer)
  }, [nextDue, dataUpdatedAt, timeZone, queryClient])
}
