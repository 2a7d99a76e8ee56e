export type SortDirection = 'asc' | 'desc'

/** The direction of a list: the chosen one, or the usual one of this sort. */
export function directionOf<Sort extends string>(
  { sort, dir }: { sort: Sort; dir?: SortDirection | undefined },
  newestFirst: readonly Sort[],
): SortDirection {
  return dir ?? (newestFirst.includes(sort) ? 'desc' : 'asc')
}

/** The direction as the address holds it: undefined for the usual one, so that the address stays short. */
export function directionInUrl<Sort extends string>(
  sort: Sort,
  direction: SortDirection | undefined,
  newestFirst: readonly Sort[],
): SortDirection | undefined {
  return direction === directionOf({ sort }, newestFirst) ? undefined : direction
}

/** The change of the address when a column header is pressed: another column, or the other direction. */
export function pressedSort<Sort extends string>(
  sort: Sort,
  now: { sort: Sort; dir?: SortDirection | undefined },
  newestFirst: readonly Sort[],
): { sort: Sort; dir: SortDirection | undefined } {
  if (sort !== now.sort) return { sort, dir: undefined }
  const turned = directionOf(now, newestFirst) === 'asc' ? 'desc' : 'asc'
  return { sort, dir: directionInUrl(sort, turned, newestFirst) }
}
