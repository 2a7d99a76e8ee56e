import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { type Note, timelineOf, useCreateNote, useDeleteNote, useUpdateNote } from './queries.ts'

const subject = { record: 'company', id: 'c' } as const
const source = timelineOf(subject)
const values = {
  kind: 'note' as const,
  body: 'Likes tea',
  outcome: null,
  minutes: null,
  happened_at: '2026-11-15T00:00:00Z',
}
const note: Note = {
  ...values,
  id: 'n',
  contact_id: null,
  company_id: 'c',
  deal_id: null,
  created_at: values.happened_at,
  updated_at: values.happened_at,
}

test('create note', () =>
  expectFailedWrite('Failed to create note', () => {
    const create = useCreateNote(source, subject)
    return () => create({ id: 'n', values })
  }))

test('log with a next step', () =>
  expectFailedWrite('Failed to create note', () => {
    const create = useCreateNote(source, subject)
    const next = { id: 't', title: 'Write', due_date: null, due_all_day: false }
    return () => create({ id: 'n', values, next })
  }))

test('update note', () =>
  expectFailedWrite('Failed to update note', () => {
    const update = useUpdateNote(source)
    return () => update({ seen: note, values: { ...values, body: 'Likes coffee' } })
  }))

test('delete note', () =>
  expectFailedWrite('Failed to delete note', () => {
    const remove = useDeleteNote(source)
    return () => remove(note)
  }))
