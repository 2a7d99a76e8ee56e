import { typedMoney } from './amount.ts'
import { type Asked, findKeyword, isLogged } from './quick-add-keywords.ts'
import { findMoney, type Money } from './quick-add-money.ts'
import { type Repeating, readRepetition, repetition } from './quick-add-repeat.ts'
import { type Clock, type FoundTime, findTime, withDaysWritten } from './quick-add-time.ts'
import { corrected, withDaysCorrected } from './quick-add-typos.ts'
import { companyGap, gap, isGap, verbs } from './quick-add-words.ts'
import { type Priority, priorities } from './task.ts'

/** What has a mark of its own in a line, and the words that are left. */
export type Parts = {
  asked: Asked | null
  /** The words that it was read from. */
  keyword: string
  /** What follows a colon in something that is logged: it is taken as it is. */
  body: string | null
  email: string | null
  phone_number: string | null
  money: Money | null
  priority: Priority | null
  tags: string[]
  repeating: Repeating | null
  /** When a deal is expected to close. */
  close: FoundTime | null
  time: FoundTime | null
  company: string | null
  /** With gaps for what was taken. */
  words: string[]
  /** What looks like a mark but is none. */
  unread: string[]
}

const quotedCompany = /(?<=\s)@["“]([^"”]+)["”]/u
/** `@Acme`, `@Acme Corp`, `@Smith & Sons`: one word, and the capitalised ones after it. */
const namedCompany = /(?<=\s)@(\S+?(?: (?:& )?\p{Lu}[\p{L}\p{M}\d'’.-]*)*)[,;]?(?=\s)/u
const address = /(?<=\s)[^\s@!$]+@[^\s@]+\.[^\s@,;]+(?=\s)/u
const phones = [
  /(?<=\s)\+\d[\d\s().-]{5,}\d(?=[\s,;])/u,
  /(?<=\s)\(\d{2,5}\)\s?\d[\d\s-]{4,}\d(?=[\s,;])/u,
  /(?<=\s)\d{3}[-. ]\d{3}[-. ]\d{4}(?=[\s,;])/u,
  // Not a day, such as 01/12/2026.
  /(?<=\s)(?!\d\d?[/.-]\d\d?[/.-]\d)0\d[\d /()-]{5,}\d(?=[\s,;])/u,
]
const tag = /(?<=\s)#([\p{L}\p{N}][\p{L}\p{N}_-]*)(?=[\s,;])/u
const mark = /(?<=\s)!(\p{L}+)(?=[\s,;])/u
/** `Website relaunch 12000`: of a deal, a number from a thousand on that ends what is said; a year does not. */
const bareAmount = new RegExp(
  `(?<=\\s)(?!(?:19|20)\\d\\d\\s)(?:\\d{1,3}(?:[.,]\\d{3})+|\\d{4,})(?=\\s+(?:$|${gap}|${companyGap}|(?:with|for)\\s))`,
  'u',
)
const closing = /\b(?:closing|closes|close(?: date)?|expected(?: close)?)\s*$/i

/** Cuts a line into what has a mark of its own and the rest. */
export function cutApart(line: string, clock: Clock): Parts {
  const cleaned = line.trim().replaceAll(/\s+/g, ' ')
  const { asked = null, text: keyword = '' } = findKeyword(cleaned) ?? {}
  const [head, body] = split(cleaned.slice(keyword.length), asked)
  const unread: string[] = []
  let rest = ` ${withVerbMended(head).replace(/\b(the )?day after tomorrow\b/i, 'in 2 days')} `
  function cut(index: number, length: number, mark = gap): void {
    rest = `${rest.slice(0, index)} ${mark} ${rest.slice(index + length)}`
  }
  function take(pattern: RegExp, mark = gap): RegExpExecArray | null {
    const match = pattern.exec(rest)
    if (match) cut(match.index, match[0].length, mark)
    return match
  }
  function takeTime(): FoundTime | null {
    const time = findTime(rest, clock)
    if (time) cut(time.index, time.text.length)
    return time
  }

  const quoted = take(quotedCompany, companyGap)?.[1]
  const email = take(address)?.[0].trim() ?? null
  const phone = phones.reduce<string | null>(
    (known, each) => known ?? take(each)?.[0] ?? null,
    null,
  )
  // What is logged is text: its numbers and marks stay in it.
  const isText = isLogged(asked)
  let money: Money | null = null
  const signed = isText ? null : findMoney(rest)
  if (signed) cut(signed.index, signed.text.length)
  money = signed
  const priority = isText ? null : readPriority(take(mark)?.[1], unread)
  const tags: string[] = []
  for (let next = take(tag); next; next = take(tag)) tags.push(next[1] ?? '')
  const repeated = isText ? null : take(repetition)
  const repeating = repeated && readRepetition(repeated)
  if (repeated && !repeating) unread.push(repeated[0])
  rest = withDaysWritten(withDaysCorrected(rest), clock)
  let time = takeTime()
  let close: FoundTime | null = null
  const isDeal = asked === 'deal' || money !== null
  const closingWords = closing.exec(rest.slice(0, time?.index ?? 0))
  if (time && isDeal && (closingWords || (asked === 'deal' && time.isWholeDay))) {
    close = time
    if (closingWords) cut(closingWords.index, closingWords[0].length)
    time = takeTime()
  }
  // 'remind me tomorrow to call Anna'
  if (asked === 'task') rest = rest.replace(new RegExp(`^[\\s${gap}]+to\\s`, 'i'), ' ')
  const company = quoted?.trim() ?? take(namedCompany, companyGap)?.[1]?.trim() ?? null
  if (asked === 'deal' && !money) {
    const bare = bareAmount.exec(rest)
    const value = typedMoney(bare?.[0] ?? '')
    if (bare && value !== null) {
      money = { value, currency: null }
      cut(bare.index, bare[0].length)
    }
  }
  return {
    asked,
    keyword: keyword.trim(),
    body,
    email,
    phone_number: phone,
    money,
    priority,
    tags,
    repeating,
    close,
    time,
    company,
    words: rest.split(/\s+/).filter(Boolean),
    unread,
  }
}

/** What is logged may have its text after a colon. */
function split(text: string, asked: Asked | null): [string, string | null] {
  const at = isLogged(asked) ? text.search(/:\s/) : -1
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1).trim()]
}

function withVerbMended(line: string): string {
  const [first = ''] = line.split(' ', 1)
  const verb = /^\p{L}+$/u.test(first) ? corrected(first, verbs) : null
  return verb ? verb + line.slice(first.length) : line
}

function readPriority(word: string | undefined, unread: string[]): Priority | null {
  if (!word) return null
  const small = word.toLowerCase()
  const known = priorities.find(
    (each) => each === corrected(small, priorities) || each.startsWith(small),
  )
  if (!known) unread.push(`!${word}`)
  return known ?? null
}

/** The words without the gaps. */
export const plainWords = (words: string[]) => words.filter((word) => !isGap(word))
