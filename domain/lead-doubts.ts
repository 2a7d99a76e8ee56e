import { type LeadField, trapName } from './lead-form.ts'
import type { Sent } from './lead-reading.ts'

/** Why a submission may be spam; the database's `form_submissions` says what each means. */
export type Doubt = 'trap' | 'fast' | 'stamp' | 'links'

/** Nobody fills in a form in less time, in milliseconds. */
const shortest = 2000
/** How long a page may stay open before it is sent, in milliseconds. */
const longest = 7 * 24 * 3_600_000

/** The age of the page that was sent, in milliseconds; none where it was not ours, false where the stamp is not. */
export type StampAge = number | null | false

/** What speaks against a submission. */
export function doubtsAbout(fields: readonly LeadField[], sent: Sent, age: StampAge): Doubt[] {
  const doubts: Doubt[] = []
  if ((sent[trapName] ?? []).some((text) => text.trim() !== '')) doubts.push('trap')
  if (age === false || (age !== null && (age > longest || age < 0))) doubts.push('stamp')
  else if (age !== null && age < shortest) doubts.push('fast')
  if (hasManyLinks(fields, sent)) doubts.push('links')
  return doubts
}

const link = /https?:\/\/|\bwww\.|\[url|<a\s/gi

/** More than two in all, or one where a name belongs. Fields for links are left out. */
function hasManyLinks(fields: readonly LeadField[], sent: Sent): boolean {
  let links = 0
  for (const { name, field } of fields) {
    if (field.kind === 'link') continue
    const found = (sent[name] ?? []).join(' ').match(link)?.length ?? 0
    if (found > 0 && field.kind === 'text') return true
    links += found
  }
  return links > 2
}
