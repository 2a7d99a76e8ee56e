import {
  type AnyEntry,
  entryKey,
  entryNouns,
  entryText,
  entryWords,
  type ListKind,
  labelShown,
} from './fields/entries.ts'

/** What became of a list, a sentence for each entry: 'Email added: ada@example.com (work)'. */
export function entryChanges(
  kind: ListKind,
  before: AnyEntry[],
  after: AnyEntry[],
  /** Values that another sentence tells of. */
  told: readonly unknown[] = [],
): string[] {
  const isTold = (entry: AnyEntry) => told.includes(entryText(entry))
  const sameAs = (entries: AnyEntry[], entry: AnyEntry) =>
    entries.find((each) => entryKey(each) === entryKey(entry))
  const noun = entryNouns[kind]
  const words = [
    ...before
      .filter((entry) => !isTold(entry) && !sameAs(after, entry))
      .map((entry) => `${noun} removed: ${entryWords(entry)}`),
    ...after.flatMap((entry) => {
      const was = sameAs(before, entry)
      if (!was) return isTold(entry) ? [] : [`${noun} added: ${entryWords(entry)}`]
      if (was.label === entry.label) return []
      const label = entry.label ? `set to ${labelShown(entry.label)}` : 'removed'
      return [`Label of ${entryText(entry)} ${label}`]
    }),
  ]
  if (words.length > 0 || told.length > 0) return words
  return [`Order of ${noun.toLowerCase()} entries changed`]
}
