import type { ContactFilter } from '#domain/contact-filter.ts'
import { dayOf } from '#domain/dates.ts'
import { cellText } from '#domain/fields/cells.ts'
import { type Fields, fieldOf, valueAt } from '#domain/fields/field.ts'
import { ownKeys } from '#domain/fields/own.ts'
import { type CardVersion, vcards, vcardsName, vcardType } from '#domain/vcard.ts'
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

/** What the user's own fields say of a contact, as a file says it. */
function ownTexts(own: Fields, contact: object) {
  return ownKeys(own).flatMap((key) => {
    const { name, field } = fieldOf(own, key)
    const text = cellText(field, valueAt(contact, field.at ?? name))
    return text === '' ? [] : [{ name: field.label, text }]
  })
}
