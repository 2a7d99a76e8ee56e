import { isNameOf, splitName } from '#domain/full-name.ts'
import { addressesIn } from '#domain/import-emails.ts'
import { type Entry, type ListKind, longestLabel } from './entries.ts'

/**
 * The values in a text that is pasted into a field for one: several addresses of an e-mail's header, numbers or links
 * in lines. A text that is one value as it stands gives none, and is pasted as ever.
 */
export function pastedValues(kind: ListKind, text: string): string[] {
  const values = valuesIn(kind, text.trim())
  return values.length === 1 && values[0] === text.trim() ? [] : [...new Set(values)]
}

/**
 * The entries in a text that is pasted. Whose name stands beside an address is its label, unless that is the name of the record
 * (`owner`); a name that is too long for a label leaves the text as it is, so that nothing of it is lost.
 */
export function pastedEntries(kind: ListKind, text: string, owner: string): Entry[] {
  const named = kind === 'emails' ? addressesIn(text) : []
  const entries = pastedValues(kind, text).map((value) => {
    const name = named.find(({ email }) => email === value)?.name ?? ''
    return { label: isNameOf(owner, name) ? '' : name, value }
  })
  return entries.some(({ label }) => label.length > longestLabel) ? [] : entries
}

/** Whose the one address is that is pasted with a name: `Ada Lovelace <ada@example.com>`; null where no name stands beside it. */
export function pastedName(text: string): { first_name: string; last_name: string } | null {
  const [only, ...more] = addressesIn(text)
  return only && only.name !== '' && more.length === 0 ? splitName(only.name) : null
}

function valuesIn(kind: ListKind, text: string): string[] {
  if (kind === 'emails') {
    const found = addressesIn(text).map(({ email }) => email)
    return found.every((email) => /^[^\s@]+@[^\s@]+$/.test(email)) ? found : []
  }
  if (kind === 'phones') {
    const parts = text.split(/[;,\n]+/).map((part) => part.trim())
    return parts.length > 1 && parts.every((part) => /^\+?[\d\s()/.-]{5,50}$/.test(part))
      ? parts
      : []
  }
  if (kind === 'links') {
    const parts = text.split(/[\s,;]+(?=https?:)/)
    return parts.length > 1 && parts.every((part) => /^https?:\/\/\S+$/.test(part)) ? parts : []
  }
  return []
}
