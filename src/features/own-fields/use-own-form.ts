import { useMemo } from 'react'
import type { Fields } from '#domain/fields/field.ts'
import { schemaWithOwn } from '#domain/fields/form.ts'
import type { OwnRecord } from '#domain/fields/own.ts'
import { useOwnFields } from './queries.ts'

/** The form of a record with its own fields; a field that is added meanwhile joins it. */
export function useOwnForm<F extends Fields>(record: OwnRecord, fields: F) {
  const { own } = useOwnFields(record)
  const schema = useMemo(() => schemaWithOwn(fields, own), [fields, own])
  return { own, schema }
}
