import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Due } from '#domain/due-date-form.ts'
import { batchOf, showUndoToast } from '#features/history/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { readAgain, useOnceWrite } from '#lib/use-list-write.ts'
import { KeptWrite } from '#lib/waiting-writes.ts'
import { type StoredTask, type Task, taskList } from '../queries.ts'
import { shownChange, snoozeOf, storedIn } from '../writes/queries.ts'

type MovedTask = { task: Task; due: Due; heading: string }

/** Moves a task to another day; later repetitions keep their time. The toast offers Undo. */
export function useMoveTask() {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const send = useOnceWrite(taskList, {
    once: (move: MovedTask) => snoozeOf(move, timeZone),
    shown: ({ task, due }) => shownChange(task, due),
    answer: storedIn,
    confirmed: (stored) => ({ kind: 'change', matches: ({ id }) => id === stored.id, to: stored }),
    isSerial: true,
    failed: 'Failed to update task',
  })
  const run = useRef<{ id: string; until: number; moves: StoredTask[] } | null>(null)
  return async (move: MovedTask): Promise<void> => {
    const stored = await send(move)
    if (stored instanceof KeptWrite) return
    const now = Date.now()
    const before = run.current
    const isNext = before?.id === stored.id && now < before.until
    const moves = isNext ? [stored, ...before.moves] : [stored]
    run.current = { id: stored.id, until: now + runTime, moves }
    showUndoToast({
      kind: 'task moved',
      message: `Moved to ${move.heading}`,
      batch: () => Promise.all(moves.map(batchOf)),
      onUndone() {
        run.current = null
        readAgain(queryClient)
      },
    })
  }
}

/** Moves of one task that follow each other within these milliseconds are undone together: the message before is still there. */
const runTime = 10_000
