import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'

type Values = Record<string, string | string[]>
type UrlSchema = z.ZodObject<Record<string, z.ZodType>>

/** A value of the address that the schema does not know; its default is used instead. */
export type Refused = { name: string; value: string }

/**
 * Reads the state of a screen from the address. Each field of the schema needs a default; a field that
 * is a list takes every value given under its name.
 */
export function readUrlState<Schema extends UrlSchema>(
  schema: Schema,
  params: URLSearchParams,
): { state: z.output<Schema>; refused: Refused[] } {
  const given: Values = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const values = params.getAll(name)
    if (values[0] === undefined) continue
    given[name] = isList(field) ? values : values[0]
  }
  const refused: Refused[] = []
  for (const { path } of schema.safeParse(given).error?.issues ?? []) {
    const name = String(path[0])
    const value = given[name]
    if (value === undefined) continue
    refused.push({ name, value: [value].flat().join(', ') })
    delete given[name]
  }
  return { state: schema.parse(given), refused }
}

/** The address query that means this state: what is as by default is left out. */
export function writeUrlState<Schema extends UrlSchema>(
  schema: Schema,
  state: z.output<Schema>,
): URLSearchParams {
  const defaults: Record<string, unknown> = schema.parse({})
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(state)) {
    if (JSON.stringify(value) === JSON.stringify(defaults[name])) continue
    for (const each of [value].flat()) params.append(name, String(each))
  }
  return params
}

/** Filter, sort order and search text of a screen, kept in its address. */
export function useUrlState<Schema extends UrlSchema>(schema: Schema) {
  const [params, setParams] = useSearchParams()
  const { state, refused } = useMemo(() => readUrlState(schema, params), [schema, params])
  // The router takes a moment to change the address; a second change must not undo the first.
  const latest = useRef(params)
  useEffect(() => {
    latest.current = params
  }, [params])
  /** `isTyping`: a step that Back should not stop at. */
  const setState = useCallback(
    (changes: Partial<z.output<Schema>>, { isTyping = false } = {}) => {
      const { state: before } = readUrlState(schema, latest.current)
      latest.current = writeUrlState(schema, { ...before, ...changes })
      setParams(latest.current, { replace: isTyping, preventScrollReset: true })
    },
    [schema, setParams],
  )
  return { state, refused, setState }
}

function isList(field: z.ZodType): boolean {
  return field.safeParse([]).success
}

/** What to tell about values of the address that mean nothing; null when all do. */
export function refusedNotice(refused: Refused[], what: string): string | null {
  const [first] = refused
  if (!first) return null
  const value = first.value.slice(0, 40)
  if (first.name === 'sort') {
    return `${what} cannot be sorted by “${value}”. The newest come first instead.`
  }
  if (first.name === 'dir') {
    return `“${value}” is no direction to sort in. The usual one is used instead.`
  }
  return 'A part of this address means nothing here and was left out.'
}
