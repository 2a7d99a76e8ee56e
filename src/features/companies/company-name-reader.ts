import { nameReader } from '#lib/record-pages.ts'
import { companyPages } from './queries.ts'

/** In a file of its own, because lists of other records load it only when they are filtered by one. */
export const readCompanyName = nameReader(
  { pages: companyPages, nameOf: ({ name }) => name },
  'Deleted company',
)
