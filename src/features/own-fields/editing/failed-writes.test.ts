import { test } from 'vitest'
import type { OwnField } from '#domain/fields/own.ts'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useChangeField, useCreateField, useDeleteField, useOrderFields } from './queries.ts'

const field: OwnField = {
  id: 'f',
  record: 'deals',
  name: 'Budget year',
  kind: 'number',
  options: [],
  position: 1,
  is_hidden: false,
}

test('add field', () =>
  expectFailedWrite('Failed to add field', () => {
    const create = useCreateField()
    return () => create(field)
  }))

test('save field', () =>
  expectFailedWrite('Failed to save field', () => {
    const change = useChangeField()
    return () => change({ field, changes: { name: 'Budget' }, done: '' })
  }))

test('move field', () =>
  expectFailedWrite('Failed to move field', () => {
    const order = useOrderFields()
    return () => order(['f'])
  }))

test('delete field', () =>
  expectFailedWrite('Failed to delete field', () => {
    const remove = useDeleteField()
    return () => remove(field)
  }))
