import { z } from 'zod'
import { optionalEmail, optionalText } from '#domain/text-fields.ts'
import { fullAddress, safeLink } from '#domain/web-address.ts'
import {
  type AnyEntry,
  addressParts,
  entryKey,
  isBlankEntry,
  type ListKind,
  labelStored,
  longestLabel,
  mostEntries,
} from './entries.ts'

const label = z
  .string()
  .transform(labelStored)
  .pipe(z.string().max(longestLabel, `A label can have at most ${longestLabel} characters.`))

const values: Record<Exclude<ListKind, 'addresses'>, z.ZodType<string | null, string>> = {
  emails: optionalEmail('Email'),
  phones: optionalText('Phone', 50),
  links: z
    .string()
    .transform(fullAddress)
    .pipe(optionalText('Link', 2000))
    .refine(
      (value) => value === null || safeLink(value) !== null,
      'Enter a web address, such as https://acme.com.',
    ),
}

const part = (name: keyof typeof addressParts) =>
  optionalText(addressParts[name], 500).transform((text) => text ?? '')

// In the order of the database, see `PostalAddress`.
const postal = z.object({
  city: part('city'),
  label,
  region: part('region'),
  street: part('street'),
  country: part('country'),
  postal_code: part('postal_code'),
})

/** What may be stored of one entry. */
export function checkEntry(kind: ListKind): z.ZodType<AnyEntry, AnyEntry> {
  if (kind === 'addresses') return postal
  return z.object({ label, value: values[kind].transform((value) => value ?? '') })
}

const nouns: Record<ListKind, string> = {
  emails: 'email addresses',
  phones: 'phone numbers',
  links: 'links',
  addresses: 'addresses',
}

/** What may be stored of a list: each entry once. Messages stand at the entry that they are about. `withFirsts` drops what is blank. */
export function checkEntries(kind: ListKind): z.ZodType<AnyEntry[], AnyEntry[]> {
  return z.array(checkEntry(kind)).superRefine((entries, context) => {
    for (const [place, entry] of entries.entries()) {
      if (isBlankEntry(entry)) continue
      const key = entryKey(entry)
      if (entries.slice(0, place).some((before) => entryKey(before) === key)) {
        const path = [place, kind === 'addresses' ? 'street' : 'value']
        context.addIssue({ code: 'custom', path, message: 'Already added.' })
      }
    }
    if (entries.filter((entry) => !isBlankEntry(entry)).length > mostEntries) {
      context.addIssue({
        code: 'custom',
        path: [entries.length - 1, kind === 'addresses' ? 'street' : 'value'],
        message: `There can be at most ${mostEntries} ${nouns[kind]}.`,
      })
    }
  })
}
