import { type LeadStatus, leadStatuses } from './fields/contacts.ts'
import type { ImportPlan } from './import-rows.ts'

/** How other products call what is one of our lead statuses. */
const statusNames = new Map<string, LeadStatus>([
  ['open', 'New'],
  ['lead', 'New'],
  ['subscriber', 'New'],
  ['open not contacted', 'New'],
  ['in progress', 'Contacted'],
  ['attempted to contact', 'Contacted'],
  ['connected', 'Contacted'],
  ['working', 'Contacted'],
  ['working contacted', 'Contacted'],
  ['open deal', 'Qualified'],
  ['marketing qualified lead', 'Qualified'],
  ['sales qualified lead', 'Qualified'],
  ['closed converted', 'Qualified'],
  ['opportunity', 'Proposal Sent'],
  ['bad timing', 'Unqualified'],
  ['closed not converted', 'Unqualified'],
])

function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
}

function ownStatus(text: string): LeadStatus | null {
  return leadStatuses.find((status) => status.toLowerCase() === folded(text)) ?? null
}

/** True when a file says it in our words, or says nothing. */
export function isOurStatus(text: string): boolean {
  return text === '' || ownStatus(text) !== null
}

/** The lead status that a text means, or null when it means none that we know. */
export function leadStatusOf(text: string): LeadStatus | null {
  return ownStatus(text) ?? statusNames.get(folded(text)) ?? null
}

/** A lead status of a file that is not ours; what it becomes is null where we have none for it. */
export type StatusChange = { word: string; becomes: LeadStatus | null; rows: number }

const mostWords = 50

/** The lead statuses of a file that are not ours, the most frequent first. */
export function statusChanges(
  rows: { cells: string[] }[],
  { mapping }: Pick<ImportPlan, 'mapping'>,
): StatusChange[] {
  const place = mapping.indexOf('lead_status')
  if (place < 0) return []
  const counts = new Map<string, number>()
  for (const { cells } of rows) {
    const word = (cells[place] ?? '').trim()
    if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .filter(([word]) => !isOurStatus(word))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostWords)
    .map(([word, count]) => ({ word, becomes: leadStatusOf(word), rows: count }))
}
