import { assemble, type Guess } from './quick-add-assemble.ts'
import { isLogged } from './quick-add-keywords.ts'
import { cutApart, type Parts } from './quick-add-parts.ts'
import { begun, newTask, nothing, type QuickAdd, readContact } from './quick-add-records.ts'
import type { Clock } from './quick-add-time.ts'
import { findPerson, hasVerb, nameLength, possibleNames } from './quick-add-words.ts'
import { usualPriority } from './task.ts'

/** One way to understand a line. */
export type Reading = {
  read: QuickAdd
  /** The part that this takes words for: it holds only if there is such a record already. */
  needs?: 'contact' | 'company'
}

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
