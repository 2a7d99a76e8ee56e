import { lower } from './fields/order.ts'

/** What the database takes. */
export const longestTag = 60
export const mostTags = 50

/** The tags in a text. What parts them in files parts them everywhere, as in the database. */
export function tagsIn(text: string): string[] {
  return tagsOf(text.split(/[;,|\n\r]/))
}

/** Tags as they are stored: trimmed, each once without regard to case, in the order in which they were given. */
export function tagsOf(typed: readonly string[]): string[] {
  const tags = new Map<string, string>()
  for (const each of typed) {
    const tag = each.replace(/\s+/g, ' ').trim()
    if (tag !== '' && !tags.has(lower(tag))) tags.set(lower(tag), tag)
  }
  return [...tags.values()]
}

export function isSameTag(one: string, other: string): boolean {
  return lower(one) === lower(other)
}

export function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((each) => isSameTag(each, tag))
}

/** Those of the first that the second lacks. */
export function tagsWithout(tags: readonly string[], gone: readonly string[]): string[] {
  return tags.filter((tag) => !hasTag(gone, tag))
}

/** What is done to the tags of many records, as the database takes it. */
export type TagChange = { add_tags: string[] } | { remove_tags: string[] }

/** The tags of one of them afterwards. */
export function tagsAfter(tags: readonly string[], change: TagChange): string[] {
  if ('add_tags' in change) return tagsOf([...tags, ...change.add_tags])
  return tagsWithout(tags, change.remove_tags)
}

/** What became of many records: 'Tagged 20 contacts'. */
export function updatedWords(records: string, changes: object): string {
  if ('add_tags' in changes) return `Tagged ${records}`
  if ('remove_tags' in changes) return `Removed tags from ${records}`
  return `${records} updated successfully`
}

/** The tag as the account writes it already, so that no second spelling comes up. */
export function knownSpelling(tag: string, known: readonly string[]): string {
  return known.find((each) => isSameTag(each, tag)) ?? tag
}

const tagHues = [
  'blue',
  'violet',
  'green',
  'yellow',
  'orange',
  'red',
  'teal',
  'pink',
  'cyan',
  'grape',
] as const

/** The name of a tag's hue. It follows from the tag alone, so that a tag looks the same everywhere. */
export function tagHue(tag: string): string {
  // The hash FNV-1a: short names that differ in a letter get different hues.
  let hash = 0x811c9dc5
  for (const letter of lower(tag)) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  }
  // The low bits of a product know only the low bits of its factors.
  return tagHues[((hash >>> 16) ^ (hash & 0xffff)) % tagHues.length] ?? 'blue'
}
