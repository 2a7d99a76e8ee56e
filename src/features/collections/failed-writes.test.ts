import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import {
  useAddToCollection,
  useCreateCollection,
  useDeleteCollection,
  useRemoveFromCollection,
  useRenameCollection,
} from './queries.ts'

const collection = { id: 'c', name: 'VIP', contacts: 2 }
const members = { collection, filter: { ids: ['a'] }, count: 1 }

test('create collection', () =>
  expectFailedWrite('Failed to create collection', () => {
    const create = useCreateCollection()
    return () => create({ name: 'New', filter: { ids: ['a'] }, count: 1 })
  }))

test('rename collection', () =>
  expectFailedWrite('Failed to rename collection', () => {
    const rename = useRenameCollection()
    return () => rename({ id: 'c', name: 'Typed' })
  }))

test('delete collection', () =>
  expectFailedWrite('Failed to delete collection', () => {
    const remove = useDeleteCollection()
    return () => remove(collection)
  }))

test('add to collection', () =>
  expectFailedWrite('Failed to add to collection', () => {
    const add = useAddToCollection()
    return () => add(members)
  }))

test('remove from collection', () =>
  expectFailedWrite('Failed to remove from collection', () => {
    const remove = useRemoveFromCollection()
    return () => remove(members)
  }))
