import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
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

/** What is to be changed, or how that follows from what is chosen so far. */
export type UrlChange<State> = Partial<State> | ((now: State) => Partial<State>)

/**
 * Filter, sort order and search text of a screen, kept in its address: what its list shows. The router has
 * React draw a new address in its own time, so this may be older than what was chosen last.
 */
export function useUrlState<Schema extends UrlSchema>(schema: Schema) {
  const { search } = useLocation()
  const { state, refused } = useMemo(() => readQuery(schema, search), [schema, search])
  return { state, refused, setState: useSetUrlState(schema) }
}

/**
 * The same for what one chooses with. It shows a choice at once, however long the list takes to follow, so
 * that the next choice builds on it.
 */
export function useUrlChoices<Schema extends UrlSchema>(schema: Schema) {
  const { pathname, search: drawn } = useLocation()
  const search = useSyncExternalStore(subscribe, () =>
    // On the way to another screen, the query of that one means nothing here.
    window.location.pathname === pathname ? window.location.search : drawn,
  )
  const { state } = useMemo(() => readQuery(schema, search), [schema, search])
  return { state, setState: useSetUrlState(schema) }
}

/** Those who show at once what is chosen. */
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

function useSetUrlState<Schema extends UrlSchema>(schema: Schema) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  /** `isTyping`: a step that Back should not stop at. */
  return useCallback(
    (change: UrlChange<z.output<Schema>>, { isTyping = false } = {}) => {
      // Another screen is on its way, and this one is still to be seen: its choices must not go there.
      if (window.location.pathname !== pathname) return
      // The address itself has every choice so far, drawn or not.
      const { state: now } = readQuery(schema, window.location.search)
      const next = { ...now, ...(typeof change === 'function' ? change(now) : change) }
      navigate(`?${writeUrlState(schema, next)}`, { replace: isTyping, preventScrollReset: true })
      for (const listener of listeners) listener()
    },
    [schema, pathname, navigate],
  )
}

function readQuery<Schema extends UrlSchema>(schema: Schema, search: string) {
  return readUrlState(schema, new URLSearchParams(search))
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
