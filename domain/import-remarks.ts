import { stageLabel } from './deal.ts'
import { leadStatuses } from './fields/contacts.ts'
import { dealFields } from './fields/deals.ts'
import { type Field, wordsFor } from './fields/field.ts'
import { habits } from './habits.ts'
import { maySign } from './import-currency.ts'
import { exactMoney } from './money.ts'

/** The values of a row by field, as the database returns them. */
type RowValues = Record<string, unknown>

/** What becomes of a row. */
export type RowOutcome = 'new' | 'update' | 'duplicate' | 'error'

function text(values: RowValues, field: string): string | null {
  const value = values[field]
  return typeof value === 'string' ? value : null
}

/** A sentence for every value of a row that the import would change. */
export function importRemarks(values: RowValues, outcome: RowOutcome): string[] {
  if (outcome !== 'new' && outcome !== 'update') return []
  const status = text(values, 'file_status')
  const stage = text(values, 'file_stage')
  const contacts = text(values, 'file_contacts')
  const sign = text(values, 'file_currency')
  const { currency } = habits()
  return [
    ...(status === null ? [] : [statusRemark(status, text(values, 'lead_status'), outcome)]),
    ...(stage === null
      ? []
      : [`Stage "${stage}" becomes ${text(values, 'stage')}, as the status says.`]),
    ...(sign === null || maySign(sign, currency)
      ? []
      : [`"${sign}" stands for several currencies: the value is read as one in ${currency}.`]),
    ...(contacts === null ? [] : [`Of the contacts "${contacts}" only the first is linked.`]),
  ]
}

function statusRemark(word: string, becomes: string | null, outcome: 'new' | 'update'): string {
  if (becomes !== null) return `Lead status "${word}" becomes ${becomes}.`
  const end = outcome === 'update' ? 'the status stays as it is' : `becomes ${leadStatuses[0]}`
  return `Lead status "${word}" is not one of ours: ${end}, and the word is kept in the notes.`
}

/** The fields of an existing deal that are compared with its row, by their names in the answer. */
const compared: [name: string, field: Field][] = [
  ['value', dealFields.value],
  ['expected_close_date', dealFields.expected_close_date],
  ['pipeline', dealFields.pipeline_id],
  ['stage', dealFields.stage_id],
  ['lost_reason', dealFields.lost_reason],
  ['closed_at', dealFields.closed_at],
]

/** How an existing deal differs from its row, to help the user decide. */
export function dealDifferences(values: RowValues, stored: RowValues): string[] {
  return compared.flatMap(([name, field]) => {
    const theirs = values[name]
    if (theirs === undefined) return []
    const shown = name === 'stage' ? shownStage : (value: unknown) => shownIn(field, value)
    const [here, there] = [shown(stored[name] ?? null), shown(theirs)]
    return here.toLowerCase() === there.toLowerCase()
      ? []
      : [`${wordsFor(field)}: ${here} here, ${there} in the file.`]
  })
}

function shownStage(value: unknown): string {
  return stageLabel(typeof value === 'string' ? value : null)
}

function shownIn({ kind }: Field, value: unknown): string {
  if (kind === 'money') return exactMoney(Number(value))
  if (typeof value !== 'string') return 'none'
  return kind === 'day' || kind === 'moment' ? value.slice(0, 10) : value
}
