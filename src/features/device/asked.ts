export type Filter = Record<string, unknown>
/** What a screen asks for. */
export type Asked = {
  filter?: Filter
  sort?: string
  descending?: boolean
  after?: { id?: string } | null
  page_size?: number
  words?: string
  pipeline?: string
  stage?: string | null
}

/** A card of a deal or a task as lists show it; the screens check it as they check the server's answers. */
export type Card = {
  id: string
  [field: string]: unknown
}

/** Null when a filter asks for more than the device knows. */
export function knownFilter<Key extends string>(
  filter: Filter,
  keys: readonly Key[],
): Partial<Record<Key, unknown>> | null {
  return Object.keys(filter).every((key) => keys.some((each) => each === key))
    ? (filter as Partial<Record<Key, unknown>>)
    : null
}

export const holds = (list: unknown, value: unknown) => !Array.isArray(list) || list.includes(value)
export const isNot = (list: unknown, value: unknown) =>
  !Array.isArray(list) || !list.includes(value)
export const isSame = (wanted: unknown, value: unknown) =>
  wanted === undefined || (wanted === 'none' ? value === null : wanted === value)

/** The page that begins after a cursor, which names the last row before it. */
export function pageOf<Row>(
  rows: Row[],
  { after, page_size = 50 }: Asked,
  idOf: (row: Row) => string,
): { rows: Row[]; next: { key: null; id: string } | null } {
  const start = after ? rows.findIndex((row) => idOf(row) === after.id) + 1 : 0
  const page = rows.slice(start, start + page_size)
  const last = page.at(-1)
  const isLast = start + page_size >= rows.length || last === undefined
  return { rows: page, next: isLast ? null : { key: null, id: idOf(last) } }
}

export const idOf = ({ id }: Card) => id

type Order<Sort> = (sort: Sort, descending: boolean) => (one: never, other: never) => number

export function orderOf<Sort>(order: Order<Sort>, { sort, descending }: Asked) {
  // Cards hold what their lists are sorted by.
  return order(sort as Sort, descending ?? false) as (one: Card, other: Card) => number
}
