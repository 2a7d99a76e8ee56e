/** Whether a name holds no word that another one lacks: `Ada` of `Ada Lovelace`. */
export function isNameOf(whole: string, name: string): boolean {
  const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\d]+/gu) ?? []
  const words = new Set(wordsIn(whole))
  return wordsIn(name).every((word) => words.has(word))
}

/** Splits a full name: the last name stands after the last space, or before the first comma. */
export function splitName(full: string): { first_name: string; last_name: string } {
  const [last = '', ...rest] = full.split(',')
  const first = rest.join(',').trim()
  if (first !== '') return { first_name: first, last_name: last.trim() }
  const words = full.trim().split(/\s+/)
  if (words.length === 1) return { first_name: words[0] ?? '', last_name: '' }
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }
}
