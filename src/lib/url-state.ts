import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { z } from 'zod/mini'

type Values = Record<string, string | string[]>
type UrlSchema = z.ZodMiniObject<Record<string, z.ZodMiniType>>

/** A value of the address that the schema refused; its default is used instead. */
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

/** The address query of a state, without the values that are the default. */
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

/** A change of the state, or a function of the current state that returns it. */
export type UrlChange<State> = Partial<State> | ((now: State) => Partial<State>)

/**
 * Filter, sort order and search text of a screen, kept in its address, for the list. The router renders a new
 * address as a transition, so this state may lag behind the user's last choice.
 */
export function useUrlState<Schema extends UrlSchema>(schema: Schema) {
  const { search } = useLocation()
  const { state, refused } = useMemo(() => readQuery(schema, search), [schema, search])
  const setState = useSetUrlState(schema)
  return {
    state,
    setState,
    /** For the notice about refused values; dismissing it writes the address back without them. */
    noticeFor: (what: string) => ({
      notice: refusedNotice(refused, what),
      onDismiss: () => setState({}, { isTyping: true }),
    }),
  }
}

/**
 * The same for the controls. It follows the address at once, so that the next choice builds on the last one
 * while the list is still rendering.
 */
export function useUrlChoices<Schema extends UrlSchema>(schema: Schema) {
  const { pathname, search: drawn } = useLocation()
  const search = useSyncExternalStore(subscribe, () =>
    // While another screen is loading, the address already has the query of that screen.
    window.location.pathname === pathname ? window.location.search : drawn,
  )
  const { state } = useMemo(() => readQuery(schema, search), [schema, search])
  return { state, setState: useSetUrlState(schema) }
}

/** The components that use `useUrlChoices`. */
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
  /** `isTyping` replaces the history entry, so that Back does not stop at every letter. */
  return useCallback(
    (change: UrlChange<z.output<Schema>>, { isTyping = false } = {}) => {
      // While another screen is loading, a choice here must not change the address of that screen.
      if (window.location.pathname !== pathname) return
      // The address holds every choice so far, rendered or not.
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

function isList(field: z.ZodMiniType): boolean {
  return field.safeParse([]).success
}

/** The message about refused values of the address; null when there are none. */
export function refusedNotice(refused: Refused[], what: string): string | null {
  const [first] = refused
  if (!first) return null
  const value = first.value.slice(0, 40)
  if (first.name === 'sort') {
    return `${what} can’t be sorted by “${value}”. Showing the newest first.`
  }
  if (first.name === 'dir') {
    return `“${value}” isn’t a sort direction. Using the default.`
  }
  return 'Part of this link wasn’t recognized and was ignored.'
}
