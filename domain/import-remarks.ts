import { leadStatuses } from './contact.ts'
import { stageLabel } from './deal.ts'
import { exactMoney } from './money.ts'

/** What a row says, by field, as the database gives it back. */
type Said = Record<string, unknown>

/** What becomes of a row. */
export type RowOutcome = 'new' | 'update' | 'duplicate' | 'error'

function text(said: Said, field: string): string | null {
  const value = said[field]
  return typeof value === 'string' ? value : null
}

/** What an import would change of what a row says, in sentences: nothing is changed without one. */
export function importRemarks(said: Said, outcome: RowOutcome): string[] {
  if (outcome !== 'new' && outcome !== 'update') return []
  const status = text(said, 'file_status')
  const stage = text(said, 'file_stage')
  const contacts = text(said, 'file_contacts')
  return [
    ...(status === null ? [] : [statusRemark(status, text(said, 'lead_status'), outcome)]),
    ...(stage === null
      ? []
      : [`Stage "${stage}" becomes ${text(said, 'stage')}, as the status says.`]),
    ...(contacts === null ? [] : [`Of the contacts "${contacts}" only the first is linked.`]),
  ]
}

function statusRemark(word: string, becomes: string | null, outcome: 'new' | 'update'): string {
  if (becomes !== null) return `Lead status "${word}" becomes ${becomes}.`
  const end = outcome === 'update' ? 'the status stays as it is' : `becomes ${leadStatuses[0]}`
  return `Lead status "${word}" is not one of ours: ${end}, and the word is kept in the notes.`
}

/** How an existing deal differs from its row, for the user who decides what becomes of it. */
export function dealDifferences(said: Said, stored: Said): string[] {
  return comparisons.flatMap(({ field, label, shown }) => {
    const [theirs, ours] = [said[field], stored[field] ?? null]
    if (theirs === undefined) return []
    const [here, there] = [shown(ours), shown(theirs)]
    return here.toLowerCase() === there.toLowerCase()
      ? []
      : [`${label}: ${here} here, ${there} in the file.`]
  })
}

const plain = (value: unknown) => (typeof value === 'string' ? value : 'none')
const day = (value: unknown) => (typeof value === 'string' ? value.slice(0, 10) : 'none')

const comparisons: { field: string; label: string; shown: (value: unknown) => string }[] = [
  { field: 'value', label: 'Value', shown: (value) => exactMoney(Number(value)) },
  { field: 'expected_close_date', label: 'Expected close', shown: day },
  { field: 'pipeline', label: 'Pipeline', shown: plain },
  {
    field: 'stage',
    label: 'Stage',
    shown: (value) => stageLabel(typeof value === 'string' ? value : null),
  },
  { field: 'lost_reason', label: 'Lost reason', shown: plain },
  { field: 'closed_at', label: 'Closed', shown: day },
]
