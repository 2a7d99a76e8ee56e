import { verbsToSomebody } from './quick-add-time.ts'

/** Other words that begin a task. */
const otherVerbs =
  'meeting|lunch|dinner|coffee|demo|send|prepare|follow|check|review|book|schedule|pay|order|buy|fix|plan|draft|sign'
export const verbs = [
  ...verbsToSomebody.replace('e-?mail', 'email').split('|'),
  ...otherVerbs.split('|'),
]

const toSomebody = new RegExp(`^(${verbsToSomebody})$`, 'i')
const toDo = new RegExp(`^(${otherVerbs})$`, 'i')
const beforeSomebody = /^(with|to|for)$/i
/** Words after a verb that are no name. */
const nobody = /^(back|again|about|up|the|a|an|my|our|all|everyone|them|him|her|in|off|out)$/i
/** Includes letters of scripts without capitals. */
const capitalised = /^[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}'’.-]*$/u
/** Words for things that are sold. */
const sold =
  /^(new|deal|renewal|contract|offer|proposal|project|order|pilot|upgrade|subscription|licen[cs]es?|support|maintenance)$/i
/** Small words within a name. */
const particle =
  /^(von|vom|zu|zum|zur|und|van|den|der|de|del|della|di|da|dos|du|la|le|ten|ter|bin|ibn|al|el)$/
const preposition = /^(with|to|for|about|re|and|of|at|on|by|from|is|as|or|not|no)$/i
/** Marks where something was removed, so that the words around it stay separate. */
export const gap = '\u0001'
/** The same, where it was the company. */
export const companyGap = '\u0002'
export const isGap = (word: string) => word === gap || word === companyGap

/** Some of the words, as they would be a name. */
export type Run = { from: number; count: number }

export type Found = {
  verb: string | null
  /** The words that name somebody. */
  name: Run | null
}

/** Finds the person: after a verb, after 'with', or at the start of the line. */
export function findPerson(
  words: string[],
  about: { hasDeal: boolean; hasCompany: boolean },
): Found {
  const start = Math.max(
    0,
    words.findIndex((word) => !isGap(word)),
  )
  const first = words[start] ?? ''
  const verb = toSomebody.test(first) || toDo.test(first) ? first : null
  const begin = verb ? start + 1 : start
  const after = words.findIndex((word, at) => at >= begin && beforeSomebody.test(word))
  for (const at of [toSomebody.test(first) ? start + 1 : -1, after < 0 ? -1 : after + 1]) {
    const count = at < 0 ? 0 : nameLength(words, at)
    // 'For Globex' is more likely a company.
    if (count === 0 || (count === 1 && /^for$/i.test(words[at - 1] ?? ''))) continue
    return { verb, name: { from: at, count } }
  }
  if (verb) return { verb, name: smallName(words, start) ?? loneName(words, begin) }
  const count = nameLength(words, start)
  const whole = words.slice(start, start + count)
  const hasRest = withoutGaps(words.slice(start + count)).length > 0
  // 'Acme Renewal $5k' is a deal, 'Anna Schmidt @Acme' somebody.
  const isName = count === 1 ? about.hasCompany && !about.hasDeal : count > 0 && count <= 3
  const isDeal =
    about.hasDeal && (whole.some((word) => sold.test(word)) || (!about.hasCompany && !hasRest))
  return { verb, name: isName && !isDeal ? { from: start, count } : null }
}

/** Whether the first word says what to do. */
export function hasVerb(words: string[]): boolean {
  const first = words.find((word) => !isGap(word)) ?? ''
  return toSomebody.test(first) || toDo.test(first)
}

/** 'call anna schmidt @acme': in lower case, a name only before a company. */
function smallName(words: string[], at: number): Run | null {
  const from = at + 1
  const count = words.slice(from).indexOf(companyGap)
  const name = words.slice(from, from + Math.max(count, 0))
  const isName =
    toSomebody.test(words[at] ?? '') &&
    name.length > 0 &&
    name.length <= 3 &&
    !name.some((word) => nobody.test(word) || isGap(word))
  return isName ? { from, count: name.length } : null
}

/** 'meeting thursday 14:00 Anna Schmidt': a whole name that stands by itself. */
function loneName(words: string[], begin: number): Run | null {
  for (let from = Math.max(begin, 1); from < words.length; from += 1) {
    const count = isGap(words[from - 1] ?? '') ? nameLength(words, from) : 0
    const isWhole = from + count === words.length || isGap(words[from + count] ?? '')
    if (count > 1 && count <= 3 && isWhole) return { from, count }
  }
  return null
}

/** How many of the words from here on are one capitalised name. */
export function nameLength(words: string[], from: number): number {
  let count = 0
  for (const [at, word] of words.slice(from).entries()) {
    if (count > 0 && particle.test(word)) continue
    const plain = bare(word)
    if (!capitalised.test(plain)) break
    count = at + 1
    // 'Anna Schmidt, renewal': the comma ends a name.
    if (plain !== word) break
  }
  return count
}

const shortRole = /^(c[etfomirps]o|vp|svp|evp|md|hr|pm)$/i
const longRole =
  /^(director|manager|head|president|founder|co-founder|owner|partner|engineer|developer|consultant|buyer|assistant|accountant|analyst|designer|officer|lead)$/i

/** `Tom Ford CEO`, `Lena Maier Head of Sales`: what somebody is, after the name, up to the next mark. */
export function roleOf(words: string[], from: number): Run | null {
  const end = words.findIndex((word, at) => at > from && isGap(word))
  const all = words.slice(from, end < 0 ? undefined : end).map(bare)
  // 'Anthony Head' is called so.
  const at = all.findIndex(
    (word, place) => (place > 0 && shortRole.test(word)) || (place > 1 && longRole.test(word)),
  )
  if (at < 0) return null
  const isAlone = /,$/.test(words[from + at - 1] ?? '') || at <= 2
  const begin = from + (isAlone ? at : 2)
  return { from: begin, count: from + all.length - begin }
}

/** Whether a word is an address of the web, such as initech.com. */
export function isWebsite(word: string): boolean {
  return /^(https?:\/\/)?([\p{L}\d-]+\.)+\p{L}{2,24}(\/\S*)?$/u.test(word)
}

/** How many of the words from here on could be a name in any case: up to a gap, a comma or a small word. */
export function anyNameLength(words: string[], from: number): number {
  let count = 0
  for (const word of words.slice(from, from + 3)) {
    if (!canName(word)) break
    count += 1
    if (bare(word) !== word) break
  }
  return count
}

const bare = (word: string) => word.replace(/[,;:]$/, '')

function canName(word: string): boolean {
  return (
    /^[\p{L}][\p{L}\p{M}'’.-]*$/u.test(bare(word)) &&
    ![nobody, preposition, sold].some((pattern) => pattern.test(bare(word)))
  )
}

/**
 * Runs of words that may name somebody who is known, the longest first. A single word only where a name is expected:
 * after a verb or a preposition, or before an amount.
 */
export function possibleNames(words: string[], about: { hasDeal: boolean }): Run[] {
  const start = Math.max(
    0,
    words.findIndex((word) => !isGap(word)),
  )
  const first = words[start] ?? ''
  const begin = toSomebody.test(first) || toDo.test(first) ? start + 1 : start
  const runs: Run[] = []
  for (const count of [3, 2, 1]) {
    for (let from = begin; from + count <= words.length; from += 1) {
      const run = words.slice(from, from + count)
      if (!run.every(canName) || run.slice(0, -1).some((word) => bare(word) !== word)) continue
      const before = words[from - 1] ?? ''
      const isExpected =
        (from === begin && (begin > start || about.hasDeal)) ||
        beforeSomebody.test(before) ||
        /^(back|up|at|from)$/i.test(before)
      if (count > 1 || isExpected) runs.push({ from, count })
    }
  }
  return runs
}

/** The words of a run, without the comma that ends them. */
export function wordsOf(words: string[], { from, count }: Run): string[] {
  return words.slice(from, from + count).map(bare)
}

/** Removes the gaps and the prepositions before and after them. */
export function withoutGaps(words: string[]): string[] {
  const plain = words.filter((word) => !isGap(word))
  while (plain.length > 0 && /^(with|to|for|about|re|and|of)$/i.test(plain[0] ?? '')) plain.shift()
  while (plain.length > 0 && /^(with|to|for|about|re|and|of|at|on|from)$/i.test(plain.at(-1) ?? ''))
    plain.pop()
  return plain
}
