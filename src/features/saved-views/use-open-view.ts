import { useEffect, useState } from 'react'
import { normalisedQuery, type ViewScreen } from '#domain/saved-view.ts'
import { type SavedView, useSavedViews } from './queries.ts'

/**
 * The open saved view: the one with the same query, otherwise the last one, which was changed since. None for the
 * default list.
 */
export function useOpenView(views: SavedView[], current: string) {
  const [lastId, setLastId] = useState<string | null>(null)
  const last = views.find(({ id }) => id === lastId)
  const matches = ({ query }: SavedView) => normalisedQuery(query) === current
  const same = last && matches(last) ? last : views.find(matches)
  const open = same ?? (current === '' ? undefined : last)
  useEffect(() => {
    if (open || current === '') setLastId(open?.id ?? null)
  }, [open, current])
  return { open, isChanged: open !== undefined && open !== same, setLastId }
}

/** The name of the saved view with this query, if any. */
export function useViewName(screen: ViewScreen, query: string): string | undefined {
  const { rows } = useSavedViews(screen)
  const current = normalisedQuery(query)
  return rows.find((view) => normalisedQuery(view.query) === current)?.name
}
