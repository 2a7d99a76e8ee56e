import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type OwnField, type OwnRecord, ownField } from '#domain/fields/own.ts'
import { optionsTogether } from '#domain/fields/own-form.ts'
import { batchOf, bulkAnswer, showUndoToast } from '#features/history/index.ts'
import { checked } from '#lib/answers.ts'
import { notFound } from '#lib/errors.ts'
import type { ListWrite } from '#lib/list-writes.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
import { fieldList } from '../queries.ts'

type NewField = Pick<OwnField, 'id' | 'record' | 'name' | 'kind' | 'options'>

type Version = { id: string; updated_at: string }

async function insertField(field: NewField): Promise<Version> {
  const { data, error } = await supabase().from('fields').insert(field).select(version).single()
  // An earlier try was saved but its answer got lost.
  if (error?.code === '23505') {
    const { id, name, options } = field
    return updateField(id, { name, options })
  }
  if (error) throw error
  return data
}

const version = 'id, updated_at'

type FieldChanges = Partial<Pick<OwnField, 'name' | 'options' | 'is_hidden'>>

async function updateField(id: string, changes: FieldChanges): Promise<Version> {
  const stored = await tryUpdate(id, changes)
  if (!stored) throw notFound()
  return stored
}

/** Null when the field is gone, or was changed since it was seen. */
async function tryUpdate(
  id: string,
  changes: FieldChanges,
  seen?: string,
): Promise<Version | null> {
  const update = supabase().from('fields').update(changes).eq('id', id)
  const { data, error } = await (seen ? update.eq('updated_at', seen) : update)
    .select(version)
    .maybeSingle()
  if (error) throw error
  return data
}

/** Another window is rarely faster more often than that. */
const mostTries = 5

/** Changes a field as it was seen. What another window did meanwhile to its options stays. */
export async function changeField(seen: OwnField, changes: FieldChanges): Promise<Version> {
  if (!changes.options) return updateField(seen.id, changes)
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { data, error } = await supabase()
      .from('fields')
      .select('options, updated_at')
      .eq('id', seen.id)
      .maybeSingle()
    if (error) throw error
    if (!data) throw notFound()
    const now = checked(ownField.shape.options, data.options)
    const options = optionsTogether(seen.options, changes.options, now)
    const stored = await tryUpdate(seen.id, { ...changes, options }, data.updated_at)
    if (stored) return stored
  }
  throw new Error('This field is being changed in another window. Try again.')
}

/** Offers to take back what was done to fields; their values may come back everywhere. */
function useUndoToast() {
  const queryClient = useQueryClient()
  return (message: string, batch: () => Promise<string>) =>
    showUndoToast({ message, batch, onUndone: () => readFromTheStart(queryClient) })
}

/** `id` is the same for all tries, so that a lost answer never creates two fields. */
export function useCreateField() {
  const offerUndo = useUndoToast()
  const create = useListWrite(fieldList, {
    write: insertField,
    optimistic: (field: NewField): ListWrite<OwnField> => ({
      kind: 'add',
      row: { ...field, position: Number.MAX_SAFE_INTEGER, is_hidden: false },
    }),
    failed: 'Failed to add field',
  })
  return async (field: NewField): Promise<void> => {
    const made = await create(field)
    offerUndo(`${field.name} added`, () => batchOf(made))
  }
}

type FieldChange = { field: OwnField; changes: FieldChanges; done: string }

/** Renames, hides or shows a field, or changes its options; `field` as it was when the change began. */
export function useChangeField() {
  const offerUndo = useUndoToast()
  const change = useListWrite(fieldList, {
    write: ({ field, changes }: FieldChange) => changeField(field, changes),
    optimistic: ({ field, changes }) => ({
      kind: 'change',
      matches: ({ id }) => id === field.id,
      to: changes,
    }),
    failed: 'Failed to save field',
  })
  return async (input: FieldChange): Promise<void> => {
    const stored = await change(input)
    offerUndo(input.done, () => batchOf(stored))
  }
}

/** Puts the fields of one kind of record in this order. */
export function useOrderFields() {
  return useListWrite(fieldList, {
    write: (ids: string[]) => callForJson('order_fields', { ids }, bulkAnswer),
    optimistic: (ids) => ({
      kind: 'change',
      matches: ({ id }) => ids.includes(id),
      to: ({ id }) => ({ position: ids.indexOf(id) + 1 }),
    }),
    // Two moves in a row: the later one wins.
    isSerial: true,
    failed: 'Failed to move field',
  })
}

/** Deletes a field with all its values. */
export function useDeleteField() {
  const offerUndo = useUndoToast()
  const remove = useListWrite(fieldList, {
    async write({ id }: OwnField) {
      const answer = await callForJson('delete_field', { id }, bulkAnswer)
      if (answer.count === 0) throw notFound()
      return answer
    },
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    failed: 'Failed to delete field',
  })
  return async (field: OwnField): Promise<void> => {
    const { batch } = await remove(field)
    if (batch) offerUndo(`${field.name} deleted`, async () => batch)
  }
}

const counts = z.record(z.string(), z.number())

/** How many records hold a value, by the ids of the fields. */
export function readFieldCounts(record: OwnRecord) {
  return callForJson('field_counts', { record }, counts)
}

/** How many records hold each option of a field, by the ids of the options. */
export function readOptionCounts(id: string) {
  return callForJson('field_option_counts', { id }, counts)
}
