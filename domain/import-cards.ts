import ICAL from 'ical.js'
import { unkept } from './import-keep.ts'
import type { LooseRow } from './import-quotes.ts'
import { asNewCard, isOldCard } from './old-cards.ts'

/** A property in the form of jCard: name, parameters, type, and its values. */
type Property = [string, Record<string, string | string[]>, string, ...unknown[]]

/** A card as the cells of a row, by the names of their columns. */
type Card = Map<string, string>

/**
 * The cards of a .vcf file as a table: a header, and a row for each card. The columns are called as Google calls them, so that
 * from here on a card is a row like any other. A card that cannot be read is a row with the reason.
 */
export function cardRows(text: string): LooseRow[] {
  const read = cardTexts(text).map(cardIn)
  const used = new Set(read.flatMap((card) => ('problem' in card ? [] : [...card.cells.keys()])))
  const header = [...used].toSorted((one, other) => rank(one) - rank(other))
  return [
    { cells: header },
    ...read.map((card): LooseRow => {
      if ('problem' in card) return { cells: [card.text], problem: card.problem }
      return { cells: header.map((column) => card.cells.get(column) ?? '') }
    }),
  ]
}

function cardTexts(text: string): string[] {
  return text.match(/^BEGIN:VCARD[^\S\n]*$[\s\S]*?(?:^END:VCARD[^\S\n]*$|(?![\s\S]))/gim) ?? []
}

function cardIn(text: string): { cells: Card } | { text: string; problem: string } {
  const [, name = ''] = /^FN[^:\n]*:(.*)$/im.exec(text) ?? []
  try {
    // A jCard is a list of its name, its properties and its parts.
    const [, properties] = ICAL.parse(isOldCard(text) ? asNewCard(text) : text) as unknown as [
      string,
      Property[],
    ]
    return { cells: cellsOf(properties) }
  } catch {
    return { text: name.trim() || text.slice(0, 60), problem: 'This card can’t be read.' }
  }
}

const columnOrder =
  'First Name,Middle Name,Last Name,Full Name,Nickname,Name Prefix,Name Suffix,Company,Department,Job Title,Email,Phone,Address,Website,Birthday,Anniversary,Tags,Notes'.split(
    ',',
  )

function rank(column: string): number {
  const place = columnOrder.findIndex((name) => column === name || column.startsWith(`${name} `))
  return place < 0 ? columnOrder.length : place
}

/** What says nothing about a person, or is told with another property. */
const technical = new Set(
  'version,prodid,rev,uid,kind,class,sort-string,mailer,source,x-ablabel,x-abadr,x-abshowas,x-abuid,x-imagehash,x-image-type,x-sharedphoto-display-pref'.split(
    ',',
  ),
)

function cellsOf(properties: Property[]): Card {
  const cells: Card = new Map()
  const counts = new Map<string, number>()
  const put = (column: string, value: string) => {
    if (value !== '') cells.set(column, [cells.get(column), value].filter(Boolean).join('\n'))
  }
  /** `Email 2 - Label` and `Email 2 - Value`. */
  const putNumbered = (name: string, label: string, values: Record<string, string>) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    put(`${name} ${count} - Label`, label)
    for (const [part, value] of Object.entries(values)) put(`${name} ${count} - ${part}`, value)
  }
  for (const property of properties) {
    const [name] = property
    const label = labelOf(property, properties)
    const value = textOf(property)
    if (technical.has(name) || value === '') continue
    if (name === 'email') putNumbered('Email', label, { Value: value })
    else if (name === 'tel') putNumbered('Phone', label, { Value: value.replace(/^tel:/i, '') })
    else if (name === 'url' || name === 'x-socialprofile') {
      putNumbered('Website', label, { Value: value })
    } else if (name === 'adr') putNumbered('Address', label, addressIn(property))
    else if (!['n', 'fn'].includes(name)) {
      for (const [column, text] of columnsOf(property, label)) put(column, text)
    }
  }
  putName(properties, put)
  return cells
}

/** The columns of a property that comes once. */
function columnsOf(property: Property, label: string): [column: string, value: string][] {
  const [name] = property
  const value = textOf(property)
  const [first = '', ...rest] = textsOf(property[3])
  switch (name) {
    case 'org':
      return [
        ['Company', first],
        ['Department', rest.filter(Boolean).join(', ')],
      ]
    case 'bday':
      return [['Birthday', dayOf(property)]]
    case 'anniversary':
      return [['Anniversary', dayOf(property)]]
    case 'categories':
      return [['Tags', property.slice(3).flatMap(textsOf).join('; ')]]
    case 'photo':
    case 'logo':
    case 'sound':
    case 'key':
      return [[capital(name), /^https?:/i.test(value) ? value : unkept]]
    default:
      return [[names[name] ?? `${capital(name)}${label ? ` (${label})` : ''}`, value]]
  }
}

const names: Record<string, string> = {
  nickname: 'Nickname',
  title: 'Job Title',
  note: 'Notes',
  role: 'Role',
  impp: 'Instant Messenger',
}

/** 'Phonetic first name' of `x-phonetic-first-name`. */
function capital(name: string): string {
  const words = name.replace(/^x-/, '').replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The parts of the name; the name that is shown only where it says more. */
function putName(properties: Property[], put: (column: string, value: string) => void): void {
  const [, , , n] = properties.find(([name]) => name === 'n') ?? []
  const [, , , shown] = properties.find(([name]) => name === 'fn') ?? []
  const parts = textsOf(n)
  const [last = '', first = '', middle = '', prefix = '', suffix = ''] = parts
  put('First Name', first)
  put('Middle Name', middle)
  put('Last Name', last)
  put('Name Prefix', prefix)
  put('Name Suffix', suffix)
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean)
  const known = new Set(words(parts.join(' ')))
  const full = textsOf(shown).join(' ')
  if (words(full).some((word) => !known.has(word))) put('Full Name', full)
}

function addressIn([, , , value]: Property): Record<string, string> {
  const [box = '', extended = '', street = '', city = '', region = '', code = '', country = ''] =
    textsOf(value)
  return {
    Street: [street, extended, box].filter(Boolean).join(', '),
    City: city,
    Region: region,
    'Postal Code': code,
    Country: country,
  }
}

/** `1990-05-03`, or `--05-03` without a year, which Apple writes as the year 1604. */
function dayOf([, parameters, , value]: Property): string {
  const day = String(value ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const omitted = parameters['x-apple-omit-year']
  return typeof omitted === 'string' && day.startsWith(`${omitted}-`)
    ? `-${day.slice(omitted.length)}`
    : day.replace(/T.*$/, '')
}

/** What the user calls a property: Apple's own label, or its type. */
function labelOf([, { group, type }]: Property, all: Property[]): string {
  const own = all.find(([name, { group: of }]) => name === 'x-ablabel' && of === group && group)
  if (own) return unescaped(String(own[3])).replace(/^_\$!<(.*)>!\$_$/, '$1')
  const types = [type ?? []].flat().filter((each) => !/^(?:internet|pref|voice|x400)$/i.test(each))
  // A mobile phone, as cards call it.
  return types.map((each) => each.toLowerCase().replace(/^cell$/, 'mobile')).join(', ')
}

/** The texts of a value, which may be a list, as those of a name and an address are. */
function textsOf(value: unknown): string[] {
  return [value ?? []].flat(2).map((each) => unescaped(String(each)).trim())
}

function textOf(property: Property): string {
  return property.slice(3).flatMap(textsOf).filter(Boolean).join(', ')
}

/** ical.js leaves what it does not know as it stands. */
function unescaped(text: string): string {
  return text.replace(/\\n/gi, '\n').replace(/\\([,;:\\])/g, '$1')
}
