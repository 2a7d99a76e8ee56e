import type { ViewScreen } from './saved-view.ts'

/** How a list was last seen: the query of its address, and the widths of its columns in pixels. */
export type SeenScreen = { query: string; widths: Record<string, number> }

/** The lists that were seen, as the account remembers them. */
export type Screens = Partial<Record<ViewScreen, SeenScreen>>

const screens: ViewScreen[] = ['contacts', 'companies', 'deals', 'tasks']

/** What was searched for, and which week was looked at, belong to the moment. */
const momentary = ['q', 'week']

/** What is remembered of an address, given by its query. */
export function rememberedQuery(query: string): string {
  const params = new URLSearchParams(query)
  for (const name of momentary) params.delete(name)
  return params.toString()
}

/**
 * What is remembered when a list is opened by an address with a query of its own: only whether it is a list, board or
 * agenda, because the rest is what somebody linked to.
 */
export function queryOnArrival(seen: string, query: string): string {
  const view = new URLSearchParams(query).get('view')
  if (view === null) return seen
  const params = new URLSearchParams(seen)
  params.set('view', view)
  return params.toString()
}

/** The stored lists; what is no such thing, such as that of an older version, is left out. */
export function screensIn(stored: unknown): Screens {
  const found: Screens = {}
  for (const screen of screens) {
    const seen = entryOf(stored, screen)
    const query = entryOf(seen, 'query')
    const widths = entryOf(seen, 'widths')
    if (seen === undefined) continue
    found[screen] = {
      query: typeof query === 'string' ? query : '',
      widths: Object.fromEntries(
        Object.entries(widths ?? {}).filter((pair): pair is [string, number] =>
          Number.isFinite(pair[1]),
        ),
      ),
    }
  }
  return found
}

function entryOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The lists after a part of one was changed. */
export function withSeen(now: Screens, screen: ViewScreen, change: Partial<SeenScreen>): Screens {
  return { ...now, [screen]: { query: '', widths: {}, ...now[screen], ...change } }
}
