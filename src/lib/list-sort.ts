export type SortDirection = 'asc' | 'desc'

/** The direction of a list: the one chosen, or the one that people expect of this sort. */
export function directionOf<Sort extends string>(
  { sort, dir }: { sort: Sort; dir?: SortDirection | undefined },
  newestFirst: readonly Sort[],
): SortDirection {
  return dir ?? (newestFirst.includes(sort) ? 'desc' : 'asc')
}

/** What the address says of it: nothing for the usual one, so that it stays short. */
export function directionInUrl<Sort extends string>(
  sort: Sort,
  direction: SortDirection | undefined,
  newestFirst: readonly Sort[],
): SortDirection | undefined {
  return direction === directionOf({ sort }, newestFirst) ? undefined : direction
}
