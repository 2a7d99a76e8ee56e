import type { Location } from 'react-router'

/**
 * The key of a history entry for its scroll position and active row. Entries opened directly all have the key
 * 'default', so the address is added.
 */
export function placeOf({
  key,
  pathname,
  search,
}: Pick<Location, 'key' | 'pathname' | 'search'>): string {
  return key === 'default' ? pathname + search : key
}
