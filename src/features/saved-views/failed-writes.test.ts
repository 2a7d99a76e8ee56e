import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useChangeView, useCreateView, useDeleteView } from './queries.ts'

const view = { id: 'v', name: 'Mine', query: 'sort=name' }

test('save view', () =>
  expectFailedWrite('Failed to save view', () => {
    const create = useCreateView('contacts')
    return () => create(view)
  }))

test.each(['Failed to update view', 'Failed to rename view'])('%s', (failed) =>
  expectFailedWrite(failed, () => {
    const change = useChangeView('contacts', { saved: '', failed })
    return () => change(view)
  }),
)

test('delete view', () =>
  expectFailedWrite('Failed to delete view', () => {
    const remove = useDeleteView('contacts')
    return () => remove(view)
  }))
