/** Short forms of days. */
const shortForms: Record<string, string> = {
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  tmw: 'tomorrow',
  tmrrw: 'tomorrow',
}
const days = [
  'tomorrow',
  'today',
  'yesterday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]
/** Words of their own that a typing error could have made of another. */
const words = ['sing', 'midday']

/** Days in small letters, with their typing errors mended. A capitalised word may be a name: Frida, Thursby. */
export function withDaysCorrected(line: string): string {
  return line.replaceAll(/(?<=\s)\p{Ll}{3,}(?=[\s,;.])/gu, (word) => {
    const known = shortForms[word]
    if (known) return known
    return word.length < 6 ? word : (days.find((day) => isTypoOf(word, day)) ?? word)
  })
}

/** The one of these words that was meant, if a letter is wrong; only for long words, or swapped letters. */
export function corrected(word: string, known: readonly string[]): string | null {
  const small = word.toLowerCase()
  if (known.includes(small) || small.length < 4) return null
  return known.find((each) => isTypoOf(small, each)) ?? null
}

function isTypoOf(word: string, known: string): boolean {
  if (word === known || word[0] !== known[0] || words.includes(word)) return false
  if (isSwapped(word, known)) return true
  if (known.length < 6) return false
  return distance(word, known) <= (known.length < 8 ? 1 : 2)
}

function isSwapped(word: string, known: string): boolean {
  const at = [...word].findIndex((letter, place) => letter !== known[place])
  const swapped = word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
  return swapped === known
}

/** How many letters have to be added, dropped or changed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, wanted] of [...other].entries()) {
      const change = (row[place] ?? 0) + Number(letter !== wanted)
      next.push(Math.min(change, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
