import type { Location } from 'react-router'

/**
 * What a place in the history is known by, to find again how far it was scrolled and which row was active.
 * Every address that is opened anew has the same key; one must not begin where another was left.
 */
export function placeOf({
  key,
  pathname,
  search,
}: Pick<Location, 'key' | 'pathname' | 'search'>): string {
  return key === 'default' ? pathname + search : key
}
