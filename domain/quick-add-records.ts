import { dayOf } from './dates.ts'
import type { Asked } from './quick-add-keywords.ts'
import type { Parts } from './quick-add-parts.ts'
import type { Repeating } from './quick-add-repeat.ts'
import { type Clock, firstDue, weekdayOf } from './quick-add-time.ts'
import type { Run } from './quick-add-words.ts'
import { type Priority, usualPriority } from './task.ts'

type NewContact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone_number: string | null
  role_title?: string
}

type NewCompany = { name: string; website?: string }

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

export type NewNote = {
  kind: 'note' | 'call' | 'meeting'
  body: string | null
  /** Null for now. */
  happened_at: string | null
}

/** The records that one line describes; null for those it does not. */
export type QuickAdd = {
  contact: NewContact | null
  company: NewCompany | null
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

export function newTask(title: string, parts?: Parts, clock?: Clock): NewTask {
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

export function dealOf(
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

export function readContact(
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

export function nameOf(contact: NewContact | null): string {
  if (!contact) return ''
  const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ')
  return name || contact.email || contact.phone_number || ''
}

/** 'maria keller' as 'Maria Keller'; a name that has capitals stays. */
export function asNames(words: string[]): string[] {
  return /^\p{Ll}/u.test(words[0] ?? '') ? words.map(begun) : words
}

export function withNames(words: string[], run: Run): string[] {
  const own = words.slice(run.from, run.from + run.count)
  return words.toSpliced(run.from, run.count, ...asNames(own))
}

export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
