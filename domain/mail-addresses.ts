/** Whom a mail goes to. */
export type MailAddress = { address: string; name: string }

/** What looks like an address, strictly enough that a half-typed one is none. */
const shape = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\.]+(\.[^\s@<>,;:"()[\]\\.]+)+$/

/** Servers refuse longer ones. */
const longest = 254

export function isAddress(text: string): boolean {
  return text.length <= longest && shape.test(text) && !/^\.|\.\.|\.@/.test(text)
}

/** The same person, however it is spelled. */
export function isSameAddress(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

/**
 * Reads what people type and paste: `Ada Lovelace <ada@x.org>, "Byron, Ada" <a@y.org>; b@z.org`, a line each or not.
 * What is no address comes back as the rest, as it was typed: it is never lost.
 */
export function parseAddresses(text: string): { found: MailAddress[]; rest: string } {
  const found: MailAddress[] = []
  const rest: string[] = []
  for (const part of partsOf(text)) {
    const one = addressIn(part) ?? addressInRow(part)
    if (one) found.push(one)
    else {
      // Addresses that only spaces divide.
      const words = part.split(/\s+/)
      if (words.every(isAddress)) found.push(...words.map((address) => ({ address, name: '' })))
      else rest.push(part)
    }
  }
  return { found: withoutDoubles(found), rest: rest.join(', ') }
}

/** Splits at commas, semicolons and line ends, but for those in quotes or between angle brackets. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  let isInside = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '<') isInside = true
    else if (letter === '>') isInside = false
    const isEnd = /[\r\n]/.test(letter) || (/[,;]/.test(letter) && !isQuoted && !isInside)
    if (isEnd) {
      parts.push(part)
      part = ''
      isQuoted = false
      isInside = false
    } else part += letter
  }
  return [...parts, part].map((each) => each.trim()).filter(Boolean)
}

function addressIn(part: string): MailAddress | null {
  const [, name = '', inside] = /^(.*?)<([^<>]*)>$/.exec(part) ?? []
  const address = (inside ?? part).trim().replace(/^mailto:/i, '')
  if (!isAddress(address)) return null
  return { address, name: nameIn(name) }
}

/** A row of a spreadsheet: one of its cells is an address, and those before it are the name; or the one after it. */
function addressInRow(part: string): MailAddress | null {
  const cells = part.split('\t').map((cell) => cell.trim())
  const place = cells.findIndex(isAddress)
  const address = cells[place]
  if (!address || cells.length === 1 || cells.filter((cell) => cell.includes('@')).length > 1) {
    return null
  }
  const before = cells.slice(0, place).filter(Boolean).join(' ')
  return { address, name: nameIn(before || (cells[place + 1] ?? '')) }
}

function nameIn(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/\\(["\\])/g, '$1')
    .trim()
}

/** Each address once; the first spelling, and the first name that it has. */
export function withoutDoubles<Person extends MailAddress>(people: readonly Person[]): Person[] {
  const known = new Map<string, Person>()
  for (const person of people) {
    const key = person.address.toLowerCase()
    const before = known.get(key)
    if (!before) known.set(key, person)
    else if (!before.name && person.name) known.set(key, { ...before, name: person.name })
  }
  return [...known.values()]
}

/** What somebody may be called of whom only the address is known: 'max.muster@x.org' is 'Max Muster'. */
export function nameOfAddress(address: string): string {
  const words = (address.split('@')[0] ?? '').split(/[._+-]+/).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

type Answered = {
  direction: 'in' | 'out'
  sender: string | null
  sender_name: string | null
  recipients: readonly { role: string; name: string; address: string }[]
}

/**
 * Who gets the answer to a mail: whoever wrote it, or those it went to when it is the user's own; with `isToAll` everybody
 * else who saw it. The user's own addresses are left out, unless nobody else would be left.
 */
export function answerRecipients(
  mail: Answered,
  own: readonly string[],
  isToAll: boolean,
): { to: MailAddress[]; cc: MailAddress[] } {
  const isOwn = ({ address }: MailAddress) => own.some((each) => isSameAddress(each, address))
  const ofRole = (...roles: string[]) =>
    mail.recipients
      .filter(({ role }) => roles.includes(role))
      .map(({ name, address }) => ({ name, address }))
  const writers =
    mail.direction === 'out' || !mail.sender
      ? ofRole('to')
      : [{ name: mail.sender_name ?? '', address: mail.sender }]
  const others = writers.filter((person) => !isOwn(person))
  const to = withoutDoubles(others.length > 0 ? others : writers)
  if (!isToAll) return { to, cc: [] }
  const isAmong = (person: MailAddress) =>
    to.some(({ address }) => isSameAddress(address, person.address))
  // Blind copies of one's own mails stay blind.
  const rest = withoutDoubles(ofRole('to', 'cc')).filter(
    (person) => !isOwn(person) && !isAmong(person),
  )
  return { to, cc: rest }
}

/** Whether an answer to all reaches more people than an answer. */
export function hasMoreRecipients(mail: Answered, own: readonly string[]): boolean {
  return answerRecipients(mail, own, true).cc.length > 0
}

/** 'Re: Offer', once, however often and in whatever language it was answered before. */
export function answerSubject(subject: string | null): string {
  const bare = (subject ?? '')
    .trim()
    .replace(/^((re|aw|antw|antwort|sv|vs|odp|rif|res|ref)\s*(\[\d+\]|\(\d+\))?\s*:\s*)+/i, '')
  return `Re: ${bare}`.trim()
}
