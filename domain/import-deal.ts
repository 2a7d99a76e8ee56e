import { furtherEmail, type Named, readBehind } from './import-behind.ts'
import { answeredMoment, type Closing, closingOf, undatedProblem } from './import-closing.ts'
import { currencyAt } from './import-currency.ts'
import { type FurtherPerson, peopleIn } from './import-people.ts'
import type { ImportPlan } from './import-plan.ts'
import {
  type Cells,
  checkedRow,
  checkPerson,
  first,
  type ImportRow,
  isStorableEmail,
  notesProblem,
  type RawValues,
} from './import-row-values.ts'
import { isOutcomeWord } from './import-stage.ts'

/** Reads a row of a file of deals. */
export function readDeal(cells: Cells, raw: RawValues, plan: ImportPlan, row: string[]): ImportRow {
  const status = first(cells, 'status')
  const closing = closingOf(row, plan)
  if ('problem' in closing) return closing
  const { stage, outcome, overruled, moment } = closing
  const closes =
    moment === null && outcome ? (closing.otherwise ?? answeredMoment(row, plan)) : null
  if (outcome && moment === null && closes === null) return { problem: undatedProblem }
  const isOtherStatus = status !== '' && !isOutcomeWord(status)
  // A column of its own says it better than a sign at the amount.
  const sign = raw.currency
    ? { currency: raw.currency, shared: null }
    : currencyAt(first(cells, 'value'))
  const people = peopleIn(row, plan)
  const [named] = fitting(people.main ? [people.main] : [])
  const further = fitting(people.further)
  const main = withEmail(named, row, plan)
  const unfit = [...(people.main ? [people.main] : []), ...people.further]
    .filter(({ email }) => !isStorableEmail(email))
    .map(({ email }) => `${headerOf(plan, 'contact_email', 'Contact Email')}: ${email}`)
  for (const person of further) {
    const problem = checkPerson(person)
    if (problem !== null) return { problem }
  }
  const behind = readBehind(row, plan, {
    contact: main,
    company: typeof raw.company === 'string' ? raw.company : '',
  })
  if ('problem' in behind) return behind
  const reason = lostReason(raw, plan, closing)
  // What nothing of a deal can hold becomes a note on it.
  const kept = [
    ...(overruled === null ? [] : [`${headerOf(plan, 'stage', 'Stage')}: ${overruled}`]),
    ...(isOtherStatus ? [`${headerOf(plan, 'status', 'Status')}: ${status}`] : []),
    ...closing.others,
    ...(reason.isKept ? [reason.line] : []),
    ...(cells.get('notes') ?? []),
    ...people.beyond,
    ...behind.notes,
  ]
  const tooLong = notesProblem(kept)
  if (tooLong) return { problem: tooLong }
  if (typeof raw.value === 'number' && raw.value < 0) {
    return { problem: `Value: "${first(cells, 'value')}" is less than 0.` }
  }
  return checkedRow(
    plan,
    row,
    {
      ...raw,
      name: plan.mapping.includes('name') ? (raw.name ?? '') : nameAfter(raw, main),
      currency: sign.currency ?? '',
      status: '',
      contact: '',
      contact_role: '',
      contact_roles: '',
      ...(reason.isKept ? { lost_reason: '' } : {}),
      stage,
      closed_at: moment ?? '',
      contact_first_name: main?.first_name ?? '',
      contact_last_name: main?.last_name ?? '',
      contact_email: main?.email ?? '',
    },
    {
      further_contacts: further.length > 0 ? further : null,
      kept_notes: kept.length > 0 ? kept : null,
      person: behind.person,
      organisation: behind.organisation,
      // A deal that is closed already keeps its own moment.
      closes_at: closes,
      // If the stored deal is lost, the database takes this as its reason; otherwise as a note.
      lost_note: reason.isOpen ? reason.line : null,
      // For the remarks in the dry run.
      file_currency: sign.shared,
      file_stage: overruled,
      closed_by: closing.by,
      file_deal_status: isOtherStatus ? status : null,
    },
    unfit,
  )
}

/** These people without addresses that cannot be stored; who is nothing but such an address is left out. */
function fitting<P extends FurtherPerson>(people: P[]): P[] {
  return people
    .map((person) => (isStorableEmail(person.email) ? person : { ...person, email: '' }))
    .filter(({ first_name, last_name, email }) => first_name + last_name + email !== '')
}

/** Only a deal that is lost has a reason for it: what a row says of another one is kept in a note. */
function lostReason({ lost_reason: reason = '' }: RawValues, plan: ImportPlan, closing: Closing) {
  const isOther = reason !== '' && closing.outcome !== 'lost'
  return {
    line: `${headerOf(plan, 'lost_reason', 'Lost Reason')}: ${reason}`,
    isKept: isOther && closing.stage !== '',
    /** The row does not say how the deal ended. */
    isOpen: isOther && closing.stage === '',
  }
}

/** Somebody without an address in the column that names the contact is known by one that stands beside it. */
function withEmail(person: Named['contact'], row: string[], plan: ImportPlan): Named['contact'] {
  return person?.email === '' ? { ...person, email: furtherEmail(row, plan) } : person
}

/** A deal without a name of its own is named after its company, or else its contact. */
function nameAfter({ company }: RawValues, main: Record<string, string> | undefined): string {
  if (typeof company === 'string' && company !== '') return company
  return `${main?.first_name ?? ''} ${main?.last_name ?? ''}`.trim() || (main?.email ?? '')
}

/** What the column that fills a field is called in the file. */
function headerOf({ mapping, columns }: ImportPlan, field: string, usual: string): string {
  return columns[mapping.indexOf(field)] || usual
}
