import { nameReader } from '#lib/record-pages.ts'
import { dealPages } from './queries.ts'

/** In a file of its own, because lists of other records load it only when they are filtered by one. */
export const readDealName = nameReader(
  { pages: dealPages, nameOf: ({ name }) => name },
  'Deleted deal',
)
