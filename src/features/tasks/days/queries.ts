import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Due } from '#domain/due-date-form.ts'
import { batchOf, showUndoToast } from '#features/history/index.ts'
import { readAgain, useListWrite } from '#lib/use-list-write.ts'
import { type StoredTask, type Task, taskList } from '../queries.ts'
import { changeOf, writes } from '../writes/queries.ts'

type MovedTask = { task: Task; due: Due; heading: string }

/** Moves a task to another day; later repetitions keep their time. The toast offers Undo. */
export function useMoveTask() {
  const queryClient = useQueryClient()
  const send = useListWrite(taskList, {
    write: ({ task, due }: MovedTask) => writes.force(task, due),
    optimistic: ({ task, due }) => changeOf(task, due),
    confirmed: (stored) => ({ kind: 'change', matches: ({ id }) => id === stored.id, to: stored }),
    isSerial: true,
    failed: 'Failed to update task',
  })
  const run = useRef<{ id: string; until: number; moves: StoredTask[] } | null>(null)
  return async (move: MovedTask): Promise<void> => {
    const stored = await send(move)
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
