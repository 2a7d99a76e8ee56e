import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigationType } from 'react-router'
import { queryOnArrival, rememberedQuery } from '#domain/remembered-screens.ts'
import type { ViewScreen } from '#domain/saved-view.ts'
import { useRememberScreen, useSeenScreens } from '#features/preferences/index.ts'

type RememberedScreenProps = { screen: ViewScreen; children: ReactNode }

/**
 * Opens a list as it was last seen, unless its address has a query of its own, and remembers what is chosen there. The
 * address gets the query before the list is rendered, so that no other view shows or is read.
 */
export function RememberedScreen({ screen, children }: RememberedScreenProps) {
  const { search, key } = useLocation()
  const seen = useSeenScreens()(screen).query
  const remember = useRememberScreen(screen)
  // Back keeps the address as it was. The first entry of a new window is a POP, too, but has no key of ours.
  const isOpened = useNavigationType() !== 'POP' || key === 'default'
  const [isAsSeen, setIsAsSeen] = useState(() => search === '' && isOpened && seen !== '')
  const last = useRef<string | null>(null)
  if (isAsSeen && search !== '') setIsAsSeen(false)
  useEffect(() => {
    if (isAsSeen || search === last.current) return
    const isArrival = last.current === null
    last.current = search
    const query = isArrival ? queryOnArrival(seen, search) : rememberedQuery(search)
    if (query !== seen) remember({ query })
  }, [isAsSeen, search, seen, remember])
  return isAsSeen ? <Navigate to={`?${seen}`} replace /> : children
}

/** The address of each screen, as it was last seen. */
export function useScreenPath(): (path: string) => string {
  const seenOf = useSeenScreens()
  return (path) => {
    const query = isList(path) ? seenOf(path).query : ''
    return `/app/${path}${query && `?${query}`}`
  }
}

const lists: string[] = ['contacts', 'companies', 'deals', 'tasks'] satisfies ViewScreen[]

/** Whether the path is that of a list that is remembered. */
export function isList(path: string): path is ViewScreen {
  return lists.includes(path)
}
