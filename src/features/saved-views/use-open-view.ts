import { useEffect, useState } from 'react'
import { tidyQuery, type ViewScreen } from '#domain/saved-view.ts'
import { type SavedView, useSavedViews } from './queries.ts'

/**
 * Which saved view the list shows: the one that means the same, else the one that was open before
 * something was changed. Back at the list as it is by default, none is.
 */
export function useOpenView(views: SavedView[], current: string) {
  const [lastId, setLastId] = useState<string | null>(null)
  const last = views.find(({ id }) => id === lastId)
  const matches = ({ query }: SavedView) => tidyQuery(query) === current
  const same = last && matches(last) ? last : views.find(matches)
  const open = same ?? (current === '' ? undefined : last)
  useEffect(() => {
    if (open || current === '') setLastId(open?.id ?? null)
  }, [open, current])
  return { open, isChanged: open !== undefined && open !== same, setLastId }
}

/** What the view is called that this address means, if it was saved. */
export function useViewName(screen: ViewScreen, query: string): string | undefined {
  const { rows } = useSavedViews(screen)
  const current = tidyQuery(query)
  return rows.find((view) => tidyQuery(view.query) === current)?.name
}
