import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  type TrashRow,
  useEmptyTrash,
  useRemoveOne,
  useRestoreAll,
  useRestoreOne,
} from './queries.ts'

// What the writes look at; the rest of a line is nothing to them.
const line = { id: 'r', batch: 'b', together: 2 } as TrashRow

test.each([
  ['one', useRestoreOne],
  ['all of a deletion', useRestoreAll],
])('restore %s', (_what, useRestore) =>
  expectFailedWrite('Failed to restore', () => {
    const restore = useRestore()
    return () => restore(line)
  }),
)

test('remove for good', () =>
  expectFailedWrite('Failed to remove', () => {
    const remove = useRemoveOne()
    return () => remove(line)
  }))

test('empty the trash', () =>
  expectFailedWrite('Failed to empty the trash', () => {
    const empty = useEmptyTrash()
    return () => empty(2)
  }))
