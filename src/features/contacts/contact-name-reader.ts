import { contactName } from '#domain/contact.ts'
import { nameReader } from '#lib/record-pages.ts'
import { contactPages } from './queries.ts'

/** In a file of its own, because lists of other records load it only when they are filtered by one. */
export const readContactName = nameReader(
  { pages: contactPages, nameOf: contactName },
  'Deleted contact',
)
