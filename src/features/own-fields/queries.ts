import type { QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod/mini'
import type { Fields } from '#domain/fields/field.ts'
import { type OwnField, type OwnRecord, ownField, ownFields } from '#domain/fields/own.ts'
import { checked } from '#lib/answers.ts'
import { type ListSource, type ListView, listKeys } from '#lib/list-source.ts'
import { supabase } from '#lib/supabase.ts'
import { useList } from '#lib/use-list.ts'

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

/** The fields of all records as they are now, for work that must not begin with old ones. */
export async function readOwnFields(): Promise<OwnField[]> {
  const { rows } = await fieldList.readPage(allFields, null, new AbortController().signal)
  return rows
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

/** The same with those that are hidden: for files with all fields. */
export function useAllOwnFields(record: OwnRecord): Fields {
  const { rows } = useFieldRows()
  return useMemo(() => ownFields(rows, record, 'all'), [rows, record])
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
