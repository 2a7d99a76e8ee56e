import type { ContactFilter } from '#domain/contact-filter.ts'
import { dayOf } from '#domain/dates.ts'
import type { Fields } from '#domain/fields/field.ts'
import { type CardVersion, ownTexts, vcards, vcardsName, vcardType } from '#domain/vcard.ts'
import { saveFile } from '#lib/save-file.ts'
import { readAllContacts } from './queries.ts'

type WriteVcards = {
  filter: ContactFilter
  version: CardVersion
  own: Fields
  timeZone: string
  onProgress: (count: number) => void
}

/** Saves the contacts that a filter matches as one vCard file, and returns their number. */
export async function writeVcards(options: WriteVcards): Promise<number> {
  const { filter, version, own, timeZone, onProgress } = options
  const texts: string[] = []
  let count = 0
  for await (const contacts of readAllContacts(filter)) {
    count += contacts.length
    const cards = contacts.map((contact) => ({ ...contact, own: ownTexts(own, contact) }))
    texts.push(vcards(cards, version))
    onProgress(count)
  }
  saveFile(new Blob(texts, { type: vcardType }), vcardsName(dayOf(Date.now(), timeZone)))
  return count
}
