import { isLogged } from './quick-add-keywords.ts'
import { taggedPart } from './quick-add-line.ts'
import { type Parts, plainWords } from './quick-add-parts.ts'
import {
  asNames,
  begun,
  dealOf,
  type NewNote,
  nameOf,
  newTask,
  nothing,
  type QuickAdd,
  readContact,
  withNames,
} from './quick-add-records.ts'
import { type Clock, pastMoment } from './quick-add-time.ts'
import {
  anyNameLength,
  companyGap,
  findPerson,
  gap,
  isGap,
  isWebsite,
  nameLength,
  type Run,
  roleOf,
  withoutGaps,
  wordsOf,
} from './quick-add-words.ts'
import { fullAddress } from './web-address.ts'

/** Words that may be the name of a record that is there. */
export type Guess = Run & { part: 'contact' | 'company' }

/** The records that these parts of a line describe, if the words of the guess are a name. */
export function assemble(parts: Parts, clock: Clock, guess?: Guess): QuickAdd {
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
  const role = asked === 'contact' ? roleOf(words, from) : null
  const isName = role ? words.slice(0, role.from) : words
  const count =
    asked === 'contact'
      ? nameLength(isName, from) || anyNameLength(isName, from)
      : lengthToGap(words, from)
  const named = wordsOf(words, { from, count })
  const website = asked === 'company' ? named.find((word, at) => at > 0 && isWebsite(word)) : null
  const name = named.filter((word) => word !== website)
  const rest = words.map((word, at) => (role && isIn(at, role) ? gap : word))
  const others = withoutGaps(rest.toSpliced(from, count)).join(' ')
  const person = readContact(asked === 'contact' ? asNames(name) : [], parts)
  const contact =
    person && role ? { ...person, role_title: wordsOf(words, role).join(' ') } : person
  const company = asked === 'company' ? name.join(' ') || null : parts.company
  const isTask = time !== null || priority !== null || repeating !== null
  const title = begun(others) || nameOf(contact) || company || ''
  return {
    ...nothing,
    asked,
    contact,
    company:
      company === null
        ? null
        : { name: company, ...(website ? { website: fullAddress(website) } : {}) },
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
  const last = personAtEnd(words, segments[0])
  if (last) return last
  const isBeforeCompany = ({ from, count }: Run) => words[from + count] === companyGap
  return segments.slice(1).find((run) => {
    const isWhole = (length: number) => length === run.count && run.count <= 3
    return (
      isWhole(nameLength(words, run.from)) ||
      (isBeforeCompany(run) && isWhole(anyNameLength(words, run.from)))
    )
  })
}

/** `Website relaunch Maria Keller`: two names after a word in small letters, which is none that goes on to a thing. */
function personAtEnd(words: string[], segment: Run | undefined): Run | null {
  if (!segment || segment.count < 3) return null
  const from = segment.from + segment.count - 2
  const isName = wordsOf(words, { from, count: 2 }).every((word) => /^\p{Lu}\p{Ll}+$/u.test(word))
  const before = words[from - 1] ?? ''
  const isAfterWord = /^\p{Ll}{4,}$/u.test(before) && !/^(from|into|onto|over|under)$/.test(before)
  return isName && isAfterWord ? { from, count: 2 } : null
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
