import type { ContactFilter } from '#domain/contact-filter.ts'
import { dayOf } from '#domain/dates.ts'
import { vcards, vcardsName, vcardType } from '#domain/vcard.ts'
import { saveFile } from '#lib/save-file.ts'
import { readAllContacts } from './queries.ts'

type WriteVcards = {
  filter: ContactFilter
  timeZone: string
  onProgress: (count: number) => void
}

/** Saves the contacts that a filter matches as one vCard file, and returns their number. */
export async function writeVcards({ filter, timeZone, onProgress }: WriteVcards): Promise<number> {
  const texts: string[] = []
  let count = 0
  for await (const contacts of readAllContacts(filter)) {
    count += contacts.length
    texts.push(vcards(contacts))
    onProgress(count)
  }
  saveFile(new Blob(texts, { type: vcardType }), vcardsName(dayOf(Date.now(), timeZone)))
  return count
}
