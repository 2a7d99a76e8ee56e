/** Splits a full name: the last name stands after the last space, or before the first comma. */
export function splitName(full: string): { first_name: string; last_name: string } {
  const [last = '', ...rest] = full.split(',')
  const first = rest.join(',').trim()
  if (first !== '') return { first_name: first, last_name: last.trim() }
  const words = full.trim().split(/\s+/)
  if (words.length === 1) return { first_name: words[0] ?? '', last_name: '' }
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }
}
