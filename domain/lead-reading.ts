import { checkOf } from './fields/checks.ts'
import { type Field, ownPrefix } from './fields/field.ts'
import { type LeadField, telling } from './lead-form.ts'

/** What was sent, by the names of the fields; several values where several were chosen. */
export type Sent = Record<string, string[]>

/** What the database makes a contact and its note of. */
export type Lead = {
  who: string | null
  contact: Record<string, unknown>
  company: string | null
  /** What was sent, in words, in the order of the form. */
  lines: { label: string; text: string }[]
}

type ReadLead = { lead: Lead } | { errors: Record<string, string> }

/** Reads what was sent to a form: what is stored of it, or what is wrong, by field. */
export function readLead(fields: readonly LeadField[], sent: Sent): ReadLead {
  const errors: Record<string, string> = {}
  const values: Record<string, unknown> = {}
  for (const { name, label, is_required, field } of fields) {
    const given = (sent[name] ?? []).map(withoutControls)
    const checked = checkOf(field).safeParse(inputOf(field, given))
    if (!checked.success) errors[name] = checked.error.issues[0]?.message ?? `Check ${label}.`
    else if (is_required && (checked.data === null || checked.data === ''))
      errors[name] = `${label} is required.`
    else values[name] = checked.data
  }
  const asked = fields.filter(({ name }) => telling.includes(name))
  const [first] = asked
  if (first && Object.keys(errors).length === 0 && asked.every(({ name }) => !values[name])) {
    errors[first.name] = `Fill in ${asked.map(({ label }) => label).join(' or ')}.`
  }
  return Object.keys(errors).length > 0 ? { errors } : { lead: leadOf(fields, values) }
}

function leadOf(fields: readonly LeadField[], values: Record<string, unknown>): Lead {
  const contact: Record<string, unknown> = {}
  const custom: Record<string, unknown> = {}
  const lines: Lead['lines'] = []
  for (const { name, label, field } of fields) {
    const value = values[name]
    if (value === null || value === undefined || value === '') continue
    lines.push({ label, text: wordsOf(field, value) })
    if (name.startsWith(ownPrefix)) custom[name.slice(ownPrefix.length)] = value
    else if (name !== 'company' && name !== 'message') contact[name] = value
  }
  const name = [values.first_name, values.last_name].filter(Boolean).join(' ')
  const who = name || values.email || values.phone_number
  return {
    who: who ? String(who).slice(0, 300) : null,
    contact: { ...contact, ...(Object.keys(custom).length > 0 ? { custom } : {}) },
    company: values.company ? String(values.company) : null,
    lines,
  }
}

/** What the check of a field takes. */
function inputOf({ kind }: Field, given: string[]): unknown {
  if (kind === 'several choices') return given
  const [text = ''] = given
  return kind === 'choice' || kind === 'yes/no' ? text || null : text
}

function wordsOf({ choiceNames = {} }: Field, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return [value]
    .flat()
    .map((each) => choiceNames[String(each)] ?? String(each))
    .join(', ')
}

/** Line breaks and tabs stay; the database takes no NUL and no half of a letter, and nobody types the others. */
function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cs}]/gu, '')
}
