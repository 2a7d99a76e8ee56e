import { currencyAt } from './import-currency.ts'
import { peopleIn } from './import-people.ts'
import type { ImportPlan } from './import-plan.ts'
import {
  type Cells,
  checkedRow,
  checkPerson,
  first,
  type ImportRow,
  type RawValues,
} from './import-row-values.ts'
import { isOutcomeWord, stageOf } from './import-stage.ts'

/** Reads a row of a file of deals. */
export function readDeal(cells: Cells, raw: RawValues, plan: ImportPlan, row: string[]): ImportRow {
  const fileStage = first(cells, 'stage')
  const status = first(cells, 'status')
  const { stage, isOverruled } = stageOf(fileStage, status, plan.isOwn)
  const isOtherStatus = status !== '' && !isOutcomeWord(status)
  // A column of its own says it better than a sign at the amount.
  const sign = raw.currency
    ? { currency: raw.currency, shared: null }
    : currencyAt(first(cells, 'value'))
  const [main, ...further] = peopleIn(row, plan)
  for (const person of further) {
    const problem = checkPerson(person)
    if (problem !== null) return { problem }
  }
  // What nothing of a deal can hold becomes a note on it.
  const kept = [
    ...(isOverruled ? [`${headerOf(plan, 'stage', 'Stage')}: ${fileStage}`] : []),
    ...(isOtherStatus ? [`${headerOf(plan, 'status', 'Status')}: ${status}`] : []),
  ]
  return checkedRow(
    'deals',
    {
      ...raw,
      currency: sign.currency ?? '',
      status: '',
      contact: '',
      stage,
      contact_first_name: main?.first_name ?? '',
      contact_last_name: main?.last_name ?? '',
      contact_email: main?.email ?? '',
    },
    {
      further_contacts: further.length > 0 ? further : null,
      kept_notes: kept.length > 0 ? kept : null,
      // For the remarks in the dry run.
      file_currency: sign.shared,
      file_stage: isOverruled ? fileStage : null,
      file_deal_status: isOtherStatus ? status : null,
    },
  )
}

/** What the column that fills a field is called in the file. */
function headerOf({ mapping, columns }: ImportPlan, field: string, usual: string): string {
  return columns[mapping.indexOf(field)] || usual
}
