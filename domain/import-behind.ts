import { type Entry, entryKey, mostEntries } from './fields/entries.ts'
import { cellsOf, readCells, withoutEmpty } from './import-cells.ts'
import { readCompany } from './import-company.ts'
import { readContact } from './import-contact.ts'
import { mailsIn } from './import-entries.ts'
import { ownName } from './import-own.ts'
import { ownValuesOf } from './import-own-values.ts'
import type { ImportPlan } from './import-plan.ts'
import { type ImportRow, linesOf, listsOf, withLines } from './import-row-values.ts'
import { isSideField, kindOfSide, type Side, sideOf, withoutSide } from './import-sides.ts'

/** Whom a deal is with, as its row names them. */
export type Named = {
  contact: { first_name: string; last_name: string; email: string } | undefined
  company: string
}

/** What a row says of the contact and the company of its deal, and lines for its notes where it does not say who that is. */
type Behind = {
  person: Record<string, unknown> | null
  organisation: Record<string, unknown> | null
  notes: string[]
}

const plans = new WeakMap<ImportPlan, Partial<Record<Side, ImportPlan | null>>>()

/** The plan by which the columns about a contact or a company are read, as in a file of such; null where there are none. */
function planOf(side: Side, plan: ImportPlan): ImportPlan | null {
  const made = plans.get(plan) ?? {}
  plans.set(plan, made)
  if (made[side] === undefined) made[side] = sidePlan(side, plan)
  return made[side] ?? null
}

function sidePlan(side: Side, plan: ImportPlan): ImportPlan | null {
  const mapping = plan.mapping.map((name) => {
    const found = sideOf(name)
    return found?.side === side ? found.field : null
  })
  if (mapping.every((field) => field === null)) return null
  const columns = plan.columns.map((column) => withoutSide(side, column))
  return { ...plan, kind: kindOfSide[side], mapping, columns }
}

/** An address of the contact that stands beside the column of the one by which the deal names it; empty where there is none. */
export function furtherEmail(row: string[], plan: ImportPlan): string {
  const own = planOf('contact', plan)
  return (own && mailsIn(listsOf(own).emails, row)[0]?.value) ?? ''
}

/** Reads what a row of deals says of its contact and its company, with the readers of such files. */
export function readBehind(
  row: string[],
  plan: ImportPlan,
  { contact, company }: Named,
): Behind | { problem: string } {
  const person = contact
    ? readSide('contact', row, plan, { ...contact, email: '' })
    : { values: {}, notes: sideLines('contact', row, plan) }
  if ('problem' in person) return person
  const organisation =
    company === ''
      ? { values: {}, notes: sideLines('company', row, plan) }
      : readSide('company', row, plan, { name: company })
  if ('problem' in organisation) return organisation
  return {
    person: filled(withFirstEmail(person.values, contact?.email ?? '')),
    organisation: filled(organisation.values),
    notes: [...person.notes, ...organisation.notes],
  }
}

function filled(values: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(values).length > 0 ? values : null
}

function readSide(
  side: Side,
  row: string[],
  plan: ImportPlan,
  named: Record<string, string>,
): { values: Record<string, unknown>; notes: string[] } | { problem: string } {
  const own = planOf(side, plan)
  const cells = own && cellsOf(row, own)
  if (!own || !cells || cells.size === 0) return { values: {}, notes: [] }
  const firsts = readCells(own, cells, row)
  if ('problem' in firsts) return firsts
  const read = (side === 'contact' ? readContact : readCompany)(
    cells,
    { ...firsts.raw, ...named },
    own,
    row,
  )
  if ('problem' in read) return read
  const custom = ownValuesOf(cells, own, row)
  const lines = [...firsts.unfit, ...(read.unfit ?? []), ...custom.unfit]
  const whole = withLines(own.kind, { ...read.values, ...custom.values }, lines)
  return 'problem' in whole ? whole : { values: ofSide(side, whole, row, own), notes: [] }
}

/** The values for the contact or company that no field of the deal holds, so that several rows about one record can be merged. */
function ofSide(
  side: Side,
  { values }: Extract<ImportRow, { values: unknown }>,
  row: string[],
  plan: ImportPlan,
) {
  const { notes, note_parts, name_from: _, file_status: __, ...others } = values
  const kept = Object.entries(withoutEmpty(others)).filter(
    ([name]) => name === 'email' || isSideField(side, name),
  )
  const parts = note_parts ?? (notes ? [notes] : null)
  const lines = cellLines(kept, row, plan)
  return Object.fromEntries([
    ...kept,
    ...(parts ? [['note_parts', parts]] : []),
    ...(Object.keys(lines).length > 0 ? [['lines', lines]] : []),
  ])
}

/** Fields that never need a note: an import adds to them, or finds the record by them. */
const withRoom = ['email', 'phone_number', 'kept_notes']

/** 'Job Title: Countess' for each field of one value, by the field: becomes a note where the record holds something else there. */
function cellLines(
  values: [name: string, value: unknown][],
  row: string[],
  plan: ImportPlan,
): Record<string, string> {
  const names = values.flatMap(([name, value]) => {
    if (name !== 'custom') return Array.isArray(value) || withRoom.includes(name) ? [] : [name]
    return Object.entries(value as Record<string, unknown>).flatMap(([id, own]) =>
      Array.isArray(own) ? [] : [ownName(id)],
    )
  })
  return Object.fromEntries(names.map((name) => [name, linesOf(name, row, plan).join('\n')]))
}

/** The address by which the deal names its contact stands before those that the row says beside it. */
function withFirstEmail(
  { email, emails, ...values }: Record<string, unknown>,
  first: string,
): Record<string, unknown> {
  if (typeof email !== 'string' || email === '') return values
  // The reader of contacts gives entries of this kind.
  const reported = (emails as Entry[] | undefined) ?? [{ label: '', value: email }]
  const head = { label: '', value: first }
  const others = reported.filter((entry) => entryKey(entry) !== entryKey(head))
  return others.length > 0
    ? { ...values, emails: [...(first ? [head] : []), ...others].slice(0, mostEntries) }
    : values
}

/** 'Person - Phone: +1 555 010': lines for the notes, of columns about somebody whom the row does not name. */
function sideLines(side: Side, row: string[], plan: ImportPlan): string[] {
  return plan.mapping.flatMap((name, place) => {
    const text = (row[place] ?? '').trim()
    return sideOf(name)?.side === side && text !== '' ? [`${plan.columns[place]}: ${text}`] : []
  })
}
