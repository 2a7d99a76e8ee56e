import { counted } from '#domain/counted.ts'

export function createdWords(name: string, count: number): string {
  return count > 0 ? `${name} created with ${counted(count, 'contact')}` : `${name} created`
}

/** `asked` includes the contacts that were members already. */
export function addedWords(name: string, added: number, asked: number): string {
  if (added > 0) return `${counted(added, 'contact')} added to ${name}`
  return asked === 1 ? `Already in ${name}` : `All of them are already in ${name}`
}

export function removedWords(name: string, removed: number): string {
  return removed > 0
    ? `${counted(removed, 'contact')} removed from ${name}`
    : `None of them were in ${name}`
}

/** The text of the question before a collection is deleted. */
export function staysWords(count: number): string {
  if (count === 0) return 'It has no contacts.'
  return count === 1 ? 'Its contact is kept.' : `Its ${counted(count, 'contact')} are kept.`
}
