import type { QueryClient } from '@tanstack/react-query'
import { counted } from '#domain/counted.ts'
import { showUndoToast, writeMany } from '#features/history/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { callFunction } from '#lib/supabase.ts'
import { readAgain, readFromTheStart } from '#lib/use-list-write.ts'
import { showError } from '#ui/toast.tsx'

/** How many tasks of a deal are still open; none where it cannot be told, because nothing hangs on it. */
export async function countOpenTasks(deal: string): Promise<number> {
  try {
    return await callFunction('task_count', { filter: { deal, status: 'pending' } })
  } catch {
    return 0
  }
}

type Closed = {
  /** What the toast says that was done. */
  message: string
  /** Of the toast: see `Toast`. */
  kind?: string
  /** The batch of the closing. */
  batch: () => Promise<string>
  queryClient: QueryClient
}

/** The toast of a deal that was closed with open tasks, which offers to complete them. */
export function offerToComplete(deal: string, count: number, closed: Closed): void {
  const { message, kind, batch, queryClient } = closed
  showUndoToast({
    message,
    ...(kind ? { kind } : {}),
    batch,
    onUndone: () => readFromTheStart(queryClient),
    also: {
      label: `Complete ${counted(count, 'open task')}`,
      onClick: () => completeTasks(deal, closed),
    },
  })
}

/** Counts the open tasks, then offers to complete them. With none, the toast of the write stays. */
export async function offerOpenTasks(deal: string, closed: Closed): Promise<void> {
  const count = await countOpenTasks(deal)
  if (count > 0) offerToComplete(deal, count, closed)
}

/** Completes what is still open on a deal that was closed; Undo then takes back both. */
async function completeTasks(deal: string, { message, batch, queryClient }: Closed): Promise<void> {
  try {
    const filter = { deal, status: 'pending' }
    const done = await writeMany('update_tasks', { filter, changes: { completed: true } })
    showUndoToast({
      message: `${message}, ${counted(done.count, 'task')} completed`,
      batch: async () => (done.batch ? [done.batch, await batch()] : batch()),
      onUndone: () => readFromTheStart(queryClient),
    })
    readAgain(queryClient)
  } catch (error) {
    showError(`Failed to update tasks: ${errorMessage(error)}`)
  }
}
