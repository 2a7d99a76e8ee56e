import { dayOf } from './dates.ts'
import { type Asked, isLogged } from './quick-add-keywords.ts'
import { taggedPart } from './quick-add-line.ts'
import { cutApart, type Parts, plainWords } from './quick-add-parts.ts'
import type { Repeating } from './quick-add-repeat.ts'
import { type Clock, firstDue, pastMoment, weekdayOf } from './quick-add-time.ts'
import {
  anyNameLength,
  companyGap,
  findPerson,
  gap,
  hasVerb,
  isGap,
  nameLength,
  possibleNames,
  type Run,
  withoutGaps,
  wordsOf,
} from './quick-add-words.ts'
import { type Priority, usualPriority } from './task.ts'

type NewContact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone_number: string | null
}

type NewDeal = {
  name: string
  /** Null where the line says none. */
  value: number | null
  /** Null for the account's own. */
  currency: string | null
  /** `YYYY-MM-DD`. */
  expected_close_date: string | null
}

type NewTask = {
  title: string
  due_date: string | null
  due_all_day: boolean
  priority: Priority
} & (Repeating | { repeat: null; repeat_days: null; repeat_every: null })

type NewNote = {
  kind: 'note' | 'call' | 'meeting'
  body: string | null
  /** Null for now. */
  happened_at: string | null
}

/** The records that one line describes; null for those it does not. */
export type QuickAdd = {
  contact: NewContact | null
  company: { name: string } | null
  deal: NewDeal | null
  task: NewTask | null
  /** About the contact, or the company. */
  note: NewNote | null
  tags: string[]
  /** Words of which nothing is made. */
  unread: string[]
  /** What the line says that it is about. */
  asked: Asked | null
}

export const nothing: QuickAdd = {
  contact: null,
  company: null,
  deal: null,
  task: null,
  note: null,
  tags: [],
  unread: [],
  asked: null,
}

/** One way to understand a line. */
export type Reading = {
  read: QuickAdd
  /** The part that this takes words for: it holds only if there is such a record already. */
  needs?: 'contact' | 'company'
}

/** Words that may be the name of a record that is there. */
type Guess = Run & { part: 'contact' | 'company' }

/** A line has few words that can be names; each is a look-up. */
const mostGuesses = 12

/**
 * Reads a line such as `call Anna Schmidt @Acme tue 3pm !high renewal $5k`. Everything else stays in the title of the
 * task, or in the name of the deal.
 */
export function readQuickAdd(line: string, clock: Clock): QuickAdd {
  return assemble(cutApart(line, clock), clock)
}

/**
 * The ways to understand a line, the likeliest first: words that may name a known person or company need that record,
 * so the database decides. The last needs nothing.
 */
export function readingsOf(line: string, clock: Clock): Reading[] {
  const parts = cutApart(line, clock)
  const guesses = guessesIn(parts).slice(0, mostGuesses)
  return [
    ...guesses.map((guess) => ({ read: assemble(parts, clock, guess), needs: guess.part })),
    { read: assemble(parts, clock) },
  ]
}

function guessesIn(parts: Parts): Guess[] {
  const { asked, words, company, money, time, priority, repeating } = parts
  if (asked === 'contact' || asked === 'company') return []
  const isMarked = [asked, money, time, priority, repeating].some((part) => part !== null)
  // Words alone are a search.
  if (!isMarked && !hasVerb(words)) return []
  const hasDeal = money !== null
  const named = isLogged(asked)
    ? { from: 0, count: nameLength(words, 0) }
    : findPerson(words, { hasDeal, hasCompany: company !== null }).name
  if (named && named.count > 0) {
    // 'Call Globex': somebody, unless a company is called so.
    const both: Guess[] = [{ ...named, part: 'contact' }]
    return company === null ? [...both, { ...named, part: 'company' }] : []
  }
  return possibleNames(words, { hasDeal: hasDeal || asked !== null }).flatMap((run) =>
    company === null
      ? [
          { ...run, part: 'contact' as const },
          { ...run, part: 'company' as const },
        ]
      : { ...run, part: 'contact' as const },
  )
}

/** Whether a line is more than a search: it has several records, a deal, a due date or a priority, says what it is, or has a mark. */
export function isPlan(read: QuickAdd): boolean {
  const { contact, company, deal, task, note, asked } = read
  const parts = [contact, company, deal, task, note].filter((part) => part !== null)
  const isTimed = task !== null && (task.due_date !== null || task.priority !== usualPriority)
  const isSaid = asked !== null || read.unread.length > 0 || read.tags.length > 0
  return parts.length > 1 || deal !== null || isTimed || (isSaid && parts.length > 0)
}

/** What a line without a plan could create, most likely first: one record with this name. */
export function offersFor(line: string, clock: Clock): QuickAdd[] {
  const read = readQuickAdd(line, clock)
  const { contact, company, task } = read
  if (isPlan(read) || company || contact?.email || contact?.phone_number) return [read]
  const name = line.trim().replaceAll(/\s+/g, ' ')
  const asContact = {
    ...nothing,
    contact: contact ?? readContact(name.split(' '), { email: null, phone_number: null }),
  }
  const asCompany = { ...nothing, company: { name } }
  const asTask = { ...nothing, task: task ?? newTask(begun(name)) }
  return contact ? [asContact, asCompany, asTask] : [asTask, asContact, asCompany]
}

function assemble(parts: Parts, clock: Clock, guess?: Guess): QuickAdd {
  const read = assembleBy(parts, clock, guess)
  if (taggedPart(read) !== null) return { ...read, tags: parts.tags }
  return { ...read, unread: [...read.unread, ...parts.tags.map((tag) => `#${tag}`)] }
}

function assembleBy(parts: Parts, clock: Clock, guess?: Guess): QuickAdd {
  const { asked } = parts
  if (asked === 'contact' || asked === 'company') return newRecord(parts, asked, clock)
  if (asked === 'deal') return newDeal(parts, clock, guess)
  if (isLogged(asked)) return logged(parts, asked, clock, guess)
  return planned(parts, clock, guess)
}

/** `new contact Tom Ford tom@ford.example`. */
function newRecord(parts: Parts, asked: 'contact' | 'company', clock: Clock): QuickAdd {
  const { words, time, priority, repeating, unread } = parts
  const from = Math.max(
    0,
    words.findIndex((word) => !isGap(word)),
  )
  const count =
    asked === 'contact'
      ? nameLength(words, from) || anyNameLength(words, from)
      : lengthToGap(words, from)
  const name = wordsOf(words, { from, count })
  const others = withoutGaps(words.toSpliced(from, count)).join(' ')
  const contact = readContact(asked === 'contact' ? asNames(name) : [], parts)
  const company = asked === 'company' ? name.join(' ') || null : parts.company
  const isTask = time !== null || priority !== null || repeating !== null
  const title = begun(others) || nameOf(contact) || company || ''
  return {
    ...nothing,
    asked,
    contact,
    company: company === null ? null : { name: company },
    deal: parts.money && dealOf(parts, [], company, contact, clock),
    task: isTask && title ? newTask(title, parts, clock) : null,
    unread: isTask || others === '' ? unread : [...unread, others],
  }
}

/** `deal Website relaunch $12,000 Maria Keller @NewCo`: the name is what stands first. */
function newDeal(parts: Parts, clock: Clock, guess?: Guess): QuickAdd {
  const { words, time, priority, repeating } = parts
  const segments = segmentsOf(words)
  const [first] = segments
  const person = guess?.part === 'contact' ? guess : personOfDeal(words, segments)
  const named = guess?.part === 'company' ? guess : null
  const contact = readContact(person ? asNames(wordsOf(words, person)) : [], parts)
  const company = parts.company ?? (named ? asNames(wordsOf(words, named)).join(' ') : null)
  const isTaken = (at: number) => isIn(at, person) || isIn(at, named)
  const free = words.flatMap((word, at) => (isTaken(at) ? [] : { word, at }))
  const name = withoutGaps(free.flatMap(({ word, at }) => (isIn(at, first) ? word : [])))
  const others = withoutGaps(free.flatMap(({ word, at }) => (isIn(at, first) ? [] : word)))
  const isTask = time !== null || priority !== null || repeating !== null
  const deal = dealOf(parts, name, company, contact, clock)
  return {
    ...nothing,
    asked: 'deal',
    contact,
    company: company === null ? null : { name: company },
    deal,
    task: isTask ? newTask(begun(others.join(' ')) || deal.name, parts, clock) : null,
    unread: isTask || others.length === 0 ? parts.unread : [...parts.unread, others.join(' ')],
  }
}

function personOfDeal(words: string[], segments: Run[]): Run | undefined {
  const at = words.findIndex((word) => /^(with|for)$/i.test(word)) + 1
  const afterWith = at > 0 ? nameLength(words, at) : 0
  if (afterWith > 1) return { from: at, count: afterWith }
  const isBeforeCompany = ({ from, count }: Run) => words[from + count] === companyGap
  return segments.slice(1).find((run) => {
    const isWhole = (length: number) => length === run.count && run.count <= 3
    return (
      isWhole(nameLength(words, run.from)) ||
      (isBeforeCompany(run) && isWhole(anyNameLength(words, run.from)))
    )
  })
}

/** `called Maria Keller: wants an offer`. Without somebody that it is about, it is a task. */
function logged(
  parts: Parts,
  kind: NewNote['kind'],
  clock: Clock,
  guess: Guess | undefined,
): QuickAdd {
  const { words, body, keyword, unread } = parts
  const from = Math.max(
    0,
    words.findIndex((word) => !isGap(word)),
  )
  const small = anyNameLength(words, from)
  // A colon ends a name in small letters too.
  const isName = body !== null && small === withoutGaps(words).length
  const count = nameLength(words, from) || (isName ? small : 0)
  const run = guess ?? (count > 0 ? { from, count } : null)
  const name = run ? asNames(wordsOf(words, run)) : []
  const isCompany = guess?.part === 'company'
  const contact = readContact(isCompany ? [] : name, parts)
  const company = parts.company ?? (isCompany ? name.join(' ') : null)
  const others = withoutGaps(run ? words.toSpliced(run.from, run.count, gap) : words)
  const text = body ?? aboutOf(words, others)
  if ((!contact && company === null) || (kind === 'note' && text === '')) {
    const all = [...words, ...(body ?? '').split(' ').filter(Boolean)]
    return planned({ ...parts, words: all, unread: [...unread, keyword] }, clock, guess)
  }
  const isRest = body !== null && others.length > 0
  return {
    ...nothing,
    asked: kind,
    contact,
    company: company === null ? null : { name: company },
    note: {
      kind,
      body: begun(text) || null,
      happened_at: parts.time && pastMoment(parts.time, clock),
    },
    unread: isRest ? [...unread, others.join(' ')] : unread,
  }
}

/** The words after the name, with the 'about' that `withoutGaps` drops. */
function aboutOf(words: string[], others: string[]): string {
  const at = words.indexOf(others[0] ?? '')
  const isAbout = at > 0 && /^(about|re)$/i.test(words[at - 1] ?? '')
  return [...(isAbout ? [words[at - 1]] : []), ...others].join(' ')
}

/** What is to be done, and the deal that it is about. */
function planned(parts: Parts, clock: Clock, guess?: Guess): QuickAdd {
  const { asked, money, time, priority, repeating, unread } = parts
  const found = findPerson(parts.words, {
    hasDeal: money !== null,
    hasCompany: parts.company !== null,
  })
  const run = guess ?? found.name
  const { verb } = found
  // A name that was understood is written as one.
  const words = run ? withNames(parts.words, run) : parts.words
  const name = run ? wordsOf(words, run) : []
  const isCompany = guess?.part === 'company'
  const contact = readContact(isCompany ? [] : name, parts)
  const company = parts.company ?? (isCompany ? name.join(' ') : null)
  const begin = words.findIndex((word) => !isGap(word)) + (verb ? 1 : 0)
  const others = withoutGaps(words.filter((_, at) => at >= begin && !(run && isIn(at, run))))
  const plain = plainWords(words)
  // 'call ada@example.com': the title needs the address as a name.
  if (contact && verb && name.length === 0 && plain.length === 1) plain.push(nameOf(contact))
  const deal = money && dealOf(parts, others, company, contact, clock)
  const isTask =
    asked === 'task' ||
    verb !== null ||
    time !== null ||
    priority !== null ||
    repeating !== null ||
    (!deal && others.length > 0)
  const title = begun(plain.join(' ')) || deal?.name || nameOf(contact) || company || ''
  return {
    ...nothing,
    asked: asked === 'task' ? asked : null,
    contact,
    company: company === null ? null : { name: company },
    deal,
    task: isTask && title ? newTask(title, parts, clock) : null,
    unread,
  }
}

const isIn = (at: number, run: Run | null | undefined) =>
  Boolean(run) && at >= (run?.from ?? 0) && at < (run?.from ?? 0) + (run?.count ?? 0)

function segmentsOf(words: string[]): Run[] {
  const runs: Run[] = []
  let from = 0
  for (const [at, word] of [...words, companyGap].entries()) {
    if (!isGap(word)) continue
    if (at > from) runs.push({ from, count: at - from })
    from = at + 1
  }
  return runs
}

function lengthToGap(words: string[], from: number): number {
  const end = words.slice(from).findIndex((word) => isGap(word) || /[,;]$/.test(word))
  if (end < 0) return words.length - from
  return isGap(words[from + end] ?? '') ? end : end + 1
}

function newTask(title: string, parts?: Parts, clock?: Clock): NewTask {
  const { time = null, priority, repeating } = parts ?? {}
  const common = { title, priority: priority ?? usualPriority }
  if (!repeating || !clock) {
    return {
      ...common,
      due_date: time?.moment ?? null,
      due_all_day: time?.isWholeDay ?? false,
      repeat: null,
      repeat_days: null,
      repeat_every: null,
    }
  }
  const due = firstDue(time, repeating.repeat_days ?? [], clock)
  const isAnyDay = repeating.repeat_days?.length === 0
  return {
    ...common,
    due_date: due.moment,
    due_all_day: due.isWholeDay,
    ...repeating,
    repeat_days: isAnyDay ? [weekdayOf(due.moment, clock.timeZone)] : repeating.repeat_days,
  }
}

function dealOf(
  { money, close }: Parts,
  words: string[],
  company: string | null,
  contact: NewContact | null,
  { timeZone }: Clock,
): NewDeal {
  const name = words.length === 1 && /^deal$/i.test(words[0] ?? '') ? '' : words.join(' ')
  const partner = company ?? nameOf(contact)
  const usual = partner ? `Deal with ${partner}` : 'New deal'
  return {
    name: begun(name) || usual,
    value: money?.value ?? null,
    currency: money?.currency ?? null,
    expected_close_date: close && dayOf(close.moment, timeZone),
  }
}

/** Forms of address, which are not part of the name. */
const address = /^(dr|mr|mrs|ms|prof)\.?$/i

function readContact(
  name: string[],
  { email, phone_number }: Pick<NewContact, 'email' | 'phone_number'>,
): NewContact | null {
  if (name.length === 0 && !email && !phone_number) return null
  const own = name.filter((word) => !address.test(word))
  const known = { email, phone_number }
  // 'Mrs Schmidt' is a last name only.
  if (own.length === 1 && name.length > 1) {
    return { first_name: null, last_name: own[0] ?? null, ...known }
  }
  const [first_name = null, ...last] = own.length > 0 ? own : name
  return { first_name, last_name: last.join(' ') || null, ...known }
}

function nameOf(contact: NewContact | null): string {
  if (!contact) return ''
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  return name || contact.email || contact.phone_number || ''
}

/** 'maria keller' as 'Maria Keller'; a name that has capitals stays. */
function asNames(words: string[]): string[] {
  return /^\p{Ll}/u.test(words[0] ?? '') ? words.map(begun) : words
}

function withNames(words: string[], run: Run): string[] {
  const own = words.slice(run.from, run.from + run.count)
  return words.toSpliced(run.from, run.count, ...asNames(own))
}

function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
