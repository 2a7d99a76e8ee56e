import { type LeadStatus, leadStatuses } from './fields/contacts.ts'
import type { ImportPlan } from './import-plan.ts'

/** Other products' names for our lead statuses. */
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

/** Whether the text is one of our lead statuses, or empty. */
export function isOurStatus(text: string): boolean {
  return text === '' || ownStatus(text) !== null
}

/** The lead status for a text; null when it is unknown. */
export function leadStatusOf(text: string): LeadStatus | null {
  return ownStatus(text) ?? statusNames.get(folded(text)) ?? null
}

/** A foreign lead status in a file, with ours for it, if any. */
export type StatusChange = { word: string; becomes: LeadStatus | null; rows: number }

const mostWords = 50

/** The foreign lead statuses of a file, the most frequent first. */
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
