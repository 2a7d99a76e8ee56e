import { keepPreviousData, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { z } from 'zod/mini'
import { dayOf } from '#domain/dates.ts'
import { countsAfter, nextDayBegins, taskCounts } from '#domain/task.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { maybe } from '#lib/answers.ts'
import { listKeys } from '#lib/list-source.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { tick, useNow } from '#lib/use-now.ts'
import { useWaitingIn } from '#lib/waiting-writes.ts'
// Types only: the counters are part of every screen, the lists are not.
import type { Task } from '../queries.ts'
import { fetchFailed, tasksKey } from '../task-key.ts'
import type { Effect } from '../writes/queries.ts'

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
    meta: { failed: fetchFailed, isOfFrame: true },
  })
}

/** The effects of writes that a read at this moment does not include: under way, or finished since. */
export function useNewerWrites(readAt: number): (Effect | undefined)[] {
  const writes = useMutationState({
    filters: { mutationKey: listKeys.write(tasksKey) },
    select: ({ state: { status, submittedAt, variables } }) => ({
      isNewer: status === 'pending' || (status === 'success' && submittedAt > readAt),
      // The writes in writes/queries.ts attach their effect on one task.
      ...(variables as { shown: { effect?: Effect }; batch: string } | undefined),
    }),
  })
  const waiting = useWaitingIn<Task>(tasksKey, readAt)
  const kept = new Set(waiting.map(({ batch }) => batch))
  return [
    ...waiting.map(({ shown }) => shown.effect as Effect | undefined),
    ...writes
      .filter(({ isNewer, batch }) => isNewer && !kept.has(batch ?? ''))
      .map(({ shown }) => shown?.effect),
  ]
}

/** Applies newer writes to tasks that were read at this moment, such as those of the dashboard. */
export function useTasksSince(tasks: Task[], readAt: number): Task[] {
  const writes = useNewerWrites(readAt)
  return tasks.flatMap((task) => {
    const last = writes.findLast((effect) => effect?.before?.id === task.id)
    return last ? (last.after ?? []) : task
  })
}

/** The task counters, with optimistic updates. */
export function useTaskCounts(): {
  counts: StoredCounts | undefined
  /** They are about to come for the first time. */
  isFirst: boolean
  isWriting: boolean
} {
  const { data, dataUpdatedAt, isPending, failureCount, fetchStatus } = useStoredCounts()
  const timeZone = useTimeZone()
  const now = useNow()
  const uncounted = useNewerWrites(dataUpdatedAt)
  const counts = uncounted.reduce(
    (sum, effect) => sum && (effect ? countsAfter(sum, effect, now, timeZone) : sum),
    data,
  )
  const isFirst = isPending && failureCount === 0 && fetchStatus === 'fetching'
  return { counts, isFirst, isWriting: uncounted.length > 0 }
}

/** Mounted once in the workspace: updates the clock at the moment a task becomes overdue or a day begins. */
export function useTaskClock(): void {
  const { data, dataUpdatedAt } = useStoredCounts()
  const timeZone = useTimeZone()
  const queryClient = useQueryClient()
  const nextDue = data?.next_due
  useEffect(() => {
    // Runs again after every answer, to wait for the next moment.
    if (dataUpdatedAt === 0) return
    const now = Date.now()
    const moments = [nextDayBegins(now, timeZone), ...(nextDue ? [Date.parse(nextDue)] : [])]
    // One millisecond later, because a task is overdue only after its due time.
    const wait = Math.max(Math.min(...moments) - now + 1, 0)
    const timer = setTimeout(() => {
      tick()
      queryClient.invalidateQueries({ queryKey: tasksKey })
    }, wait)
    return () => clearTimeout(timer)
  }, [nextDue, dataUpdatedAt, timeZone, queryClient])
  useMovedBirthdays(data !== undefined && data.overdue > 0)
}

/** Once a day, tasks of birthdays that are over become those of the next ones. No server does that by itself. */
function useMovedBirthdays(isAnyOverdue: boolean): void {
  const queryClient = useQueryClient()
  const day = dayOf(useNow(), useTimeZone())
  const askedOn = useRef('')
  useEffect(() => {
    if (!isAnyOverdue || askedOn.current === day) return
    askedOn.current = day
    callFunction('move_birthdays', {}).then(
      (moved) => {
        if (moved > 0) queryClient.invalidateQueries({ queryKey: tasksKey })
      },
      // No error, because the user did not ask for this: the next day or another window tries again.
      () => {},
    )
  }, [isAnyOverdue, day, queryClient])
}
