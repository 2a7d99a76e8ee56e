import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod/mini'
import type { Fields } from '#domain/fields/field.ts'
import { schemaWithOwn } from '#domain/fields/form.ts'
import { type OwnField, type OwnRecord, ownField, ownFields } from '#domain/fields/own.ts'
import { batchOf, bulkAnswer, showUndoToast } from '#features/history/index.ts'
import { checked } from '#lib/answers.ts'
import { notFound } from '#lib/errors.ts'
import { type ListSource, type ListView, listKeys } from '#lib/list-source.ts'
import type { ListWrite } from '#lib/list-writes.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { useList } from '#lib/use-list.ts'
import { readFromTheStart, useListWrite } from '#lib/use-list-write.ts'

type AllFields = ListView<Record<string, never>>

const allFields: AllFields = { filter: {}, sort: 'position', descending: false }

const columns = Object.keys(ownField.shape).join(', ')

/** The fields of all records: one short request, read beside the data of a screen. */
export const fieldList: ListSource<OwnField, AllFields> = {
  key: ['fields'],
  failed: 'Failed to fetch your fields',
  async readPage(_view, _after, signal) {
    const { data, error } = await supabase()
      .from('fields')
      .select(columns)
      .order('record')
      .order('position')
      .abortSignal(signal)
      // The query client retries once; the library's own retries would take long.
      .retry(false)
    if (error) throw error
    return { rows: checked(z.array(ownField), data), next: null }
  },
  compare: () => (one, other) => one.position - other.position,
}

/** The fields that the user added, of all records. */
export function useFieldRows() {
  const { rows, isLoading, problem, refetch } = useList(fieldList, allFields)
  return { rows, isLoading, problem, refetch }
}

/** The definitions of a record's own fields that are shown; none until they are read. */
export function useOwnFields(record: OwnRecord) {
  const { rows, isLoading, problem } = useFieldRows()
  const own = useMemo(() => ownFields(rows, record), [rows, record])
  return { own, isKnown: !isLoading && !problem }
}

/** What the address of a list may hold, with the own fields of its records as far as they are read. */
export function useOwnUrl<Schema>(record: OwnRecord, urlOf: (own: Fields | null) => Schema) {
  const { own, isKnown } = useOwnFields(record)
  const schema = useMemo(() => urlOf(isKnown ? own : null), [urlOf, own, isKnown])
  return { own, schema }
}

/** The own fields of a kind of record, as far as they have been read. */
export function knownOwnFields(queryClient: QueryClient, record: OwnRecord): Fields {
  type Data = { pages: { rows: OwnField[] }[] }
  const data = queryClient.getQueryData<Data>([...listKeys.pages(fieldList.key), allFields])
  return ownFields(data?.pages.flatMap(({ rows }) => rows) ?? [], record)
}

/** The form of a record with its own fields; a field that is added meanwhile joins it. */
export function useOwnForm<F extends Fields>(record: OwnRecord, fields: F) {
  const { own } = useOwnFields(record)
  const schema = useMemo(() => schemaWithOwn(fields, own), [fields, own])
  return { own, schema }
}

type NewField = Pick<OwnField, 'id' | 'record' | 'name' | 'kind' | 'options'>

type Version = { id: string; updated_at: string }

async function insertField(field: NewField): Promise<Version> {
  const { data, error } = await supabase().from('fields').insert(field).select(version).single()
  // An earlier try was saved but its answer got lost.
  if (error?.code === '23505') {
    const { id, name, options } = field
    return changeField(id, { name, options })
  }
  if (error) throw error
  return data
}

const version = 'id, updated_at'

type FieldChanges = Partial<Pick<OwnField, 'name' | 'options' | 'is_hidden'>>

async function changeField(id: string, changes: FieldChanges): Promise<Version> {
  const { data, error } = await supabase()
    .from('fields')
    .update(changes)
    .eq('id', id)
    .select(version)
    .maybeSingle()
  if (error) throw error
  if (!data) throw notFound()
  return data
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

/** Renames, hides or shows a field, or changes its options. */
export function useChangeField() {
  const offerUndo = useUndoToast()
  const change = useListWrite(fieldList, {
    write: ({ field, changes }: FieldChange) => changeField(field.id, changes),
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
