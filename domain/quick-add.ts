import { type Clock, findTime, verbsToSomebody } from './quick-add-time.ts'
import { type Priority, priorities, usualPriority } from './task.ts'

type NewContact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone_number: string | null
}

/** The records that one line describes; null for those it does not. */
export type QuickAdd = {
  contact: NewContact | null
  company: { name: string } | null
  deal: { name: string; value: number } | null
  task: { title: string; due_date: string | null; due_all_day: boolean; priority: Priority } | null
}

const toSomebody = new RegExp(`^(${verbsToSomebody})$`, 'i')
/** Other words that begin a task. */
const toDo =
  /^(meeting|lunch|dinner|coffee|demo|send|prepare|follow|check|review|book|schedule|pay|order|buy|fix|plan|draft|sign|todo|task)$/i
const beforeSomebody = /^(with|to|for)$/i
/** Words after a verb that are no name. */
const nobody = /^(back|again|about|up|the|a|an|my|our|all|everyone|them|him|her|in|off|out)$/i
/** Includes letters of scripts without capitals. */
const capitalised = /^[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}'’.-]*$/u
/** Forms of address, which are not part of the name. */
const address = /^(dr|mr|mrs|ms|prof)\.?$/i
/** Words for things that are sold. */
const sold =
  /^(new|deal|renewal|contract|offer|proposal|project|order|pilot|upgrade|subscription|licen[cs]es?|support|maintenance)$/i
/** Small words within a name. */
const particle =
  /^(von|vom|zu|zum|zur|und|van|den|der|de|del|della|di|da|dos|du|la|le|ten|ter|bin|ibn|al|el)$/
/** Marks where something was removed, so that the words around it stay separate. */
const gap = '\u0001'
/** The same, where it was the company. */
const companyGap = '\u0002'
const isGap = (word: string) => word === gap || word === companyGap

/**
 * Reads a line such as `call Anna Schmidt @Acme tue 3pm !high renewal $5k`. Everything else stays in the title of the
 * task, or in the name of the deal.
 */
export function readQuickAdd(line: string, clock: Clock): QuickAdd {
  const cleaned = line.trim().replaceAll(/\s+/g, ' ')
  let rest = ` ${cleaned.replace(/\b(the )?day after tomorrow\b/i, 'in 2 days')} `
  function take(pattern: RegExp, mark = gap): RegExpExecArray | null {
    const found = pattern.exec(rest)
    if (found) cut(found.index, found[0].length, mark)
    return found
  }
  function cut(index: number, length: number, mark = gap): void {
    rest = `${rest.slice(0, index)} ${mark} ${rest.slice(index + length)}`
  }

  const quoted = take(/(?<=\s)@["“]([^"”]+)["”]/u, companyGap)?.[1]
  const email = take(/(?<=\s)[^\s@!$]+@[^\s@]+\.[^\s@,;]+(?=\s)/u)?.[0].trim() ?? null
  const phone_number = take(/(?<=\s)\+\d[\d\s().-]{5,}\d(?=\s)/u)?.[0] ?? null
  const value = readMoney(
    take(/(?<=\s)\$\s?(\d[\d,]*(?:\.\d+)?)(k|m)?(?:[,.;](?=\s)|(?=[\s,.;]))/iu),
  )
  const priority = readPriority(take(/(?<=\s)!(low|med(?:ium)?|high|urgent|[lmhu])(?=\s)/iu)?.[1])
  const time = findTime(rest, clock)
  if (time) cut(time.index, time.text.length)
  const company = quoted?.trim() ?? take(companyPattern, companyGap)?.[1]?.trim() ?? null

  const words = rest.split(/\s+/).filter(Boolean)
  const { verb, name, others } = readWords(words, {
    hasDeal: value !== null,
    hasCompany: company !== null,
  })
  const contact = readContact(name, email, phone_number)
  const plain = words.filter((word) => !isGap(word))
  if (/^(todo|task)$/i.test(plain[0] ?? '') && plain.length > 1) plain.shift()
  // 'call ada@example.com': the title needs the address as a name.
  if (contact && verb && name.length === 0 && plain.length === 1) plain.push(nameOf(contact))
  const deal = value === null ? null : { name: dealName(others, company, contact), value }
  const hasTask =
    verb !== null || time !== null || priority !== null || (!deal && others.length > 0)
  const title = begun(plain.join(' ')) || deal?.name || nameOf(contact) || company || ''
  return {
    contact,
    company: company === null ? null : { name: company },
    deal,
    task:
      hasTask && title
        ? {
            title,
            due_date: time?.moment ?? null,
            due_all_day: time?.isWholeDay ?? false,
            priority: priority ?? usualPriority,
          }
        : null,
  }
}

/** Whether a line is more than a search: it has several records, a deal, a due date or a priority. */
export function isPlan({ contact, company, deal, task }: QuickAdd): boolean {
  const parts = [contact, company, deal, task].filter((part) => part !== null)
  const isTimed = task !== null && (task.due_date !== null || task.priority !== usualPriority)
  return parts.length > 1 || deal !== null || isTimed
}

/** What a line could create, most likely first: all its records, or one record with this name. */
export function offersFor(line: string, clock: Clock): QuickAdd[] {
  const read = readQuickAdd(line, clock)
  const { contact, company, task } = read
  if (isPlan(read) || company || contact?.email || contact?.phone_number) return [read]
  const name = line.trim().replaceAll(/\s+/g, ' ')
  const none = { contact: null, company: null, deal: null, task: null }
  const asContact = { ...none, contact: contact ?? readContact(name.split(' '), null, null) }
  const asCompany = { ...none, company: { name } }
  const asTask = {
    ...none,
    task: task ?? {
      title: begun(name),
      due_date: null,
      due_all_day: false,
      priority: usualPriority,
    },
  }
  return contact ? [asContact, asCompany, asTask] : [asTask, asContact, asCompany]
}

/** `@Acme`, `@Acme Corp`, `@Smith & Sons`: one word, and the capitalised ones after it. */
const companyPattern = /(?<=\s)@(\S+?(?: (?:& )?\p{Lu}[\p{L}\p{M}\d'’.-]*)*)[,;]?(?=\s)/u

function readMoney(found: RegExpExecArray | null): number | null {
  if (!found) return null
  const factor = { k: 1000, m: 1_000_000 }[found[2]?.toLowerCase() ?? ''] ?? 1
  return Math.round(Number(found[1]?.replaceAll(',', '')) * factor * 100) / 100
}

function readPriority(word: string | undefined): Priority | null {
  if (!word) return null
  return priorities.find((each) => each.startsWith(word.toLowerCase())) ?? null
}

type Words = {
  verb: string | null
  name: string[]
  /** The remaining words: the name of the deal, if there is one. */
  others: string[]
}

/** Finds the person: after a verb, after 'with', or at the start of the line. */
function readWords(all: string[], about: { hasDeal: boolean; hasCompany: boolean }): Words {
  const words = all.slice(all.findIndex((word) => !isGap(word)))
  const [first = ''] = words
  const verb = toSomebody.test(first) || toDo.test(first) ? first : null
  const begin = verb ? 1 : 0
  const after = words.findIndex((word, at) => at >= begin && beforeSomebody.test(word))
  for (const at of [toSomebody.test(first) ? 1 : -1, after < 0 ? -1 : after + 1]) {
    const name = at < 0 ? [] : capitalisedFrom(words, at)
    // 'For Globex' is more likely a company.
    if (name.length === 0 || (name.length === 1 && /^for$/i.test(words[at - 1] ?? ''))) continue
    const without = words.filter((_, place) => place < at || place >= at + name.length)
    return { verb, name, others: withoutGaps(without.slice(begin)) }
  }
  const others = withoutGaps(words.slice(begin))
  if (verb) {
    const name = smallName(words)
    return name.length > 0
      ? { verb, name: name.map(begun), others: withoutGaps(words.slice(1 + name.length)) }
      : { verb, name, others }
  }
  const whole = capitalisedFrom(words, 0)
  const rest = withoutGaps(words.slice(whole.length))
  // 'Acme Renewal $5k' is a deal, 'Anna Schmidt @Acme' somebody.
  const isName = whole.length === 1 ? about.hasCompany && !about.hasDeal : whole.length <= 3
  const isDeal =
    about.hasDeal &&
    (whole.some((word) => sold.test(word)) || (!about.hasCompany && rest.length === 0))
  return isName && !isDeal && whole.length > 0
    ? { verb, name: whole, others: rest }
    : { verb, name: [], others }
}

/** 'call anna schmidt @acme': in lower case, a name only before a company. */
function smallName(words: string[]): string[] {
  const [verb = '', ...after] = words
  const end = after.indexOf(companyGap)
  const name = after.slice(0, Math.max(end, 0))
  const isName =
    toSomebody.test(verb) && name.length <= 3 && !name.some((word) => nobody.test(word))
  return isName ? name : []
}

function capitalisedFrom(words: string[], at: number): string[] {
  const name: string[] = []
  let small: string[] = []
  for (const word of words.slice(at)) {
    if (name.length > 0 && particle.test(word)) {
      small.push(word)
      continue
    }
    // 'Anna Schmidt, renewal': the comma ends a name and is no part of it.
    const plain = word.replace(/[,;:]$/, '')
    if (!capitalised.test(plain)) break
    name.push(...small, plain)
    small = []
    if (plain !== word) break
  }
  return name
}

/** Removes the gaps and the prepositions before them. */
function withoutGaps(words: string[]): string[] {
  const plain = words.filter((word) => !isGap(word))
  while (plain.length > 0 && /^(with|to|for|about|re|and|of)$/i.test(plain[0] ?? '')) plain.shift()
  while (plain.length > 0 && /^(with|to|for|about|re|and|of|at|on)$/i.test(plain.at(-1) ?? ''))
    plain.pop()
  return plain
}

function readContact(
  name: string[],
  email: string | null,
  phone: string | null,
): NewContact | null {
  if (name.length === 0 && !email && !phone) return null
  const own = name.filter((word) => !address.test(word))
  const known = { email, phone_number: phone }
  // 'Mrs Schmidt' is a last name only.
  if (own.length === 1 && name.length > 1) {
    return { first_name: null, last_name: own[0] ?? null, ...known }
  }
  const [first_name = null, ...last] = own.length > 0 ? own : name
  return { first_name, last_name: last.join(' ') || null, ...known }
}

function dealName(words: string[], company: string | null, contact: NewContact | null): string {
  if (words.length > 0) return begun(words.join(' '))
  const partner = company ?? nameOf(contact)
  return partner ? `Deal with ${partner}` : 'New deal'
}

function nameOf(contact: NewContact | null): string {
  if (!contact) return ''
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  return name || contact.email || contact.phone_number || ''
}

function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
