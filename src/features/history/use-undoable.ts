import { useQueryClient } from '@tanstack/react-query'
import type { ListSource, ListView } from '#lib/list-source.ts'
import type { ListWrite } from '#lib/list-writes.ts'
import { patchLists, readAgain, readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
import { showToast } from '#ui/toast.tsx'
import { type BulkAnswer, deletionOf } from './queries.ts'
import { showUndoToast } from './undo-toast.ts'

type DeleteOptions<Row> = {
  remove: (id: string) => Promise<void>
  /** The optimistic update, where more than the list changes, such as counters. */
  optimistic?: (gone: Row) => ListWrite<Row>
  done: (gone: Row) => string
  failed: string
}

/** Deletes a record; the toast offers Undo. */
export function useUndoableDelete<Row extends { id: string }, View extends ListView<object>>(
  source: ListSource<Row, View>,
  { remove, optimistic = removal, done, failed }: DeleteOptions<Row>,
) {
  const queryClient = useQueryClient()
  const write = useListWrite(source, { write: ({ id }: Row) => remove(id), optimistic, failed })
  return async (row: Row): Promise<void> => {
    await write(row)
    showUndoToast({
      message: done(row),
      batch: () => deletionOf(row.id),
      onUndone() {
        patchLists(queryClient, source, { kind: 'add', row })
        readAgain(queryClient)
      },
    })
  }
}

function removal<Row extends { id: string }>(gone: Row): ListWrite<Row> {
  return { kind: 'remove', matches: ({ id }) => id === gone.id, count: 1 }
}

type BulkOptions<Row, Input> = {
  write: (input: Input) => Promise<BulkAnswer>
  optimistic: (input: Input) => ListWrite<Row>
  done: (count: number, input: Input) => string
  failed: string
}

/** Writes to all rows that a filter matches, in one request and one batch; the toast offers Undo. */
export function useBulkWrite<Row extends { id: string }, View extends ListView<object>, Input>(
  source: ListSource<Row, View>,
  { write, optimistic, done, failed }: BulkOptions<Row, Input>,
) {
  const queryClient = useQueryClient()
  const send = useListWrite(source, { write, optimistic, failed })
  return async (input: Input): Promise<void> => {
    const { count, batch } = await send(input)
    if (!batch) return showToast({ message: done(count, input) })
    showUndoToast({
      message: done(count, input),
      batch: async () => batch,
      // The rows return to places that a long list has not loaded.
      onUndone: () => readFromTheStart(queryClient),
    })
  }
}
