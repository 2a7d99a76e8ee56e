import ICAL from 'ical.js'
import { contactName, unnamed } from './contact.ts'
import { cellText } from './fields/cells.ts'
import { contactFields } from './fields/contacts.ts'
import { type Entry, labelShown, type PostalAddress } from './fields/entries.ts'
import { type Fields, fieldOf, valueAt } from './fields/field.ts'
import { ownKeys } from './fields/own.ts'

/** What a card holds of a contact. */
export type CardContact = {
  first_name: string | null
  last_name: string | null
  nickname: string | null
  email: string | null
  phone_number: string | null
  role_title: string | null
  birthday: string | null
  company_name: string | null
  notes: string | null
  middle_name?: string | null
  // The first of each is also the e-mail address and the phone number above.
  emails?: Entry[]
  phones?: Entry[]
  links?: Entry[]
  addresses?: PostalAddress[]
  tags?: string[]
  /** The fields of the user's own that hold something. */
  own?: { name: string; text: string }[]
}

export type CardVersion = '3.0' | '4.0'

// ical.js does not count the space before a continuation line, which belongs to the 75 octets.
ICAL.foldLength = 74

/**
 * Contacts as the text of a .vcf file in UTF-8, usually of version 3.0. Phones, Apple Contacts, Google, Outlook and
 * Thunderbird all read 3.0; of 4.0, Outlook and Google read nothing or only a part.
 */
export function vcards(contacts: CardContact[], version: CardVersion = '3.0'): string {
  // ical.js names every type but its own; a text never holds this, because its semicolon is escaped.
  return ICAL.stringify(contacts.map((contact) => cardOf(contact, version))).replaceAll(
    'BDAY;VALUE=UNKNOWN:',
    'BDAY:',
  )
}

/** The media type of a .vcf file. */
export const vcardType = 'text/vcard;charset=utf-8'

/** 'Ada Lovelace.vcf'. */
export function vcardName(contact: CardContact): string {
  // Windows refuses the characters and a name that ends with a dot; a name that begins with one is hidden elsewhere.
  const name = shownName(contact)
    .replace(/[\\/:*?"<>|\s\p{Cc}]+/gu, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  // File systems take 255 bytes.
  return `${[...name].slice(0, 60).join('').trim() || unnamed}.vcf`
}

/** 'contacts-export-2026-11-15.vcf'. */
export function vcardsName(day: string): string {
  return `contacts-export-${day}.vcf`
}

/** A property in the form of jCard: name, parameters, type, value. */
type Property = [string, Record<string, string | string[]>, string, ...(string | string[])[]]

function cardOf(contact: CardContact, version: CardVersion): [string, Property[], []] {
  const { first_name, last_name, nickname, email, phone_number, role_title } = contact
  const { company_name, notes } = contact
  // Family, given, additional names, prefixes, suffixes.
  const names = [last_name, first_name, contact.middle_name]
  const name = [...names.map((part) => oneBreak(part ?? '')), '', '']
  const properties: Property[] = [
    ['version', {}, 'text', version],
    ['n', {}, 'text', name],
    ['fn', {}, 'text', oneBreak(shownName(contact))],
  ]
  function add(property: string, value: string | null, params = {}, type = 'text'): void {
    if (value) properties.push([property, params, type, oneBreak(value)])
  }
  add('nickname', nickname)
  // A list of the organisation and its units: only so is a semicolon in its name escaped.
  if (company_name) properties.push(['org', {}, 'text', [oneBreak(company_name)]])
  add('title', role_title)
  // In 3.0 written as it is: without a year it begins with two signs, and most programs read the long form only. 4.0
  // allows the short form only, which ical.js makes.
  add('bday', contact.birthday, {}, version === '3.0' ? 'unknown' : 'date-and-or-time')
  let groups = 0
  /** A label that a card has no type for is a line of its own, in the same group, as Apple and Google write it. */
  function addLabelled(
    property: string,
    label: string,
    value: string | string[],
    own: string[],
    type = 'text',
  ) {
    const known = types[label.toLowerCase()]
    const [first, ...others] = known ? [...own, known] : own
    const params: Property[1] = {}
    if (first) params.type = others.length > 0 ? [first, ...others] : first
    if (label === '' || known) {
      properties.push([property, params, type, value])
      return
    }
    groups += 1
    const group = `item${groups}`
    properties.push([property, { group, ...params }, type, value])
    // ical.js knows no such property: what it does not know, it neither escapes nor writes without a type.
    const words = labelShown(label).replace(/\s+/g, ' ')
    properties.push(['x-ablabel', { group }, 'unknown', escaped(words)])
  }
  for (const { label, value } of entriesOr(contact.emails, email)) {
    addLabelled('email', label, oneBreak(value), version === '3.0' ? ['INTERNET'] : [])
  }
  // A telephone, whether at work, at home or in the pocket. ical.js leaves line breaks and backslashes in it as they
  // are: the first would end the line of the file.
  for (const { label, value } of entriesOr(contact.phones, phone_number)) {
    const isMobile = label.toLowerCase() === 'mobile'
    addLabelled(
      'tel',
      label,
      value.replace(/[\r\n\\]+/g, ' '),
      isMobile ? [] : ['VOICE'],
      version === '3.0' ? 'phone-number' : 'text',
    )
  }
  for (const { label, street, city, region, postal_code, country } of contact.addresses ?? []) {
    // Post office box, extended address, street, locality, region, postal code, country.
    const lines = ['', '', street, city, region, postal_code, country]
    addLabelled('adr', label, lines.map(oneBreak), [])
  }
  for (const { label, value } of contact.links ?? []) addLabelled('url', label, value, [], 'uri')
  const tags = contact.tags ?? []
  if (tags.length > 0) properties.push(['categories', {}, 'text', ...tags.map(oneBreak)])
  const own = contact.own ?? []
  for (const { name, text } of own.filter(hasLine)) {
    const line = `x-${name.toLowerCase().replaceAll(' ', '-')}`
    properties.push([line, {}, 'unknown', escaped(oneBreak(text))])
  }
  const rest = own.filter((field) => !hasLine(field)).map(({ name, text }) => `${name}: ${text}`)
  add('note', [notes, rest.join('\n')].filter(Boolean).join('\n\n'))
  return ['vcard', properties, []]
}

/** What the user's own fields say of a contact, as a file says it. */
export function ownTexts(own: Fields, contact: object): { name: string; text: string }[] {
  return ownKeys(own).flatMap((key) => {
    const { name, field } = fieldOf(own, key)
    const text = cellText(field, valueAt(contact, field.at ?? name))
    return text === '' ? [] : [{ name: field.label, text }]
  })
}

/** What a card says of a contact under a name of its own, and what an import would take for one of our fields. */
const taken = new Set([
  ...Object.values(contactFields).map(({ label }) => label.toLowerCase()),
  'company',
])

/**
 * Whether an own field can be a line `X-CONTRACT-END`, which an import reads back into the field of that name. Names with
 * other letters or signs cannot be written so; those fields are lines of the notes.
 */
function hasLine({ name }: { name: string }): boolean {
  return /^[a-z0-9]+(?: [a-z0-9]+)*$/i.test(name) && !taken.has(name.toLowerCase())
}

/** A value that ical.js writes as it stands. */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')
}

/** The types of a card for our labels. */
const types: Record<string, string> = { work: 'WORK', home: 'HOME', mobile: 'CELL' }

function entriesOr(entries: Entry[] | undefined, first: string | null): Entry[] {
  if (entries && entries.length > 0) return entries
  return first ? [{ label: '', value: first }] : []
}

/** Every card needs a name that is shown; what else is known tells more than 'Unnamed'. */
function shownName(contact: CardContact): string {
  const { nickname, company_name, email, phone_number } = contact
  if (contact.first_name || contact.last_name) return contactName(contact)
  return nickname || company_name || email || phone_number || unnamed
}

/** ical.js escapes a line feed; a carriage return would end the line of the file. */
function oneBreak(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
