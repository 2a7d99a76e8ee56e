import { z } from 'zod'
import { checkOf } from './fields/checks.ts'
import { contactFields } from './fields/contacts.ts'
import { type Field, type Fields, ownPrefix } from './fields/field.ts'
import { type OwnField, ownField, ownFields } from './fields/own.ts'
import { optionalText, requiredText } from './text-fields.ts'

const { first_name, last_name, middle_name, nickname, email, phone_number, role_title } =
  contactFields
const { birthday, notes } = contactFields

/** What a form can ask for besides fields of the user's own. A message goes to the contact's timeline only. */
export const leadFields: Fields = {
  first_name,
  last_name,
  email,
  phone_number,
  company: { kind: 'text', label: 'Company' },
  role_title,
  message: { kind: 'long text', label: 'Message', max: 5000 },
  middle_name,
  nickname,
  birthday,
  notes: { ...notes, max: 5000 },
}

/** Without any of these nobody could be written back to, or told from others. */
const telling = ['email', 'phone_number', 'first_name', 'last_name']

const askedField = z.object({
  name: z.string().regex(/^(?:[a-z_]{1,40}|custom\.[0-9a-f-]{36})$/),
  label: requiredText('Label', 100),
  is_required: z.boolean(),
})

/** A field as a form asks for it. */
export type AskedField = z.output<typeof askedField>

/** The most fields that a form can have. */
export const mostFields = 30

const webAddress = optionalText('Address', 2000).refine(
  (value) => value === null || /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i.test(value),
  'Enter a web address, such as https://acme.com/thanks.',
)

/** What the dialog of a form may hold. */
export const leadFormSchema = z.object({
  name: requiredText('Name', 100),
  title: optionalText('Heading', 200),
  intro: optionalText('Text', 2000),
  fields: z
    .array(askedField)
    .max(mostFields, `A form can have at most ${mostFields} fields.`)
    .refine(
      (fields) => fields.some(({ name }) => telling.includes(name)),
      'A form needs a name, an email or a phone number.',
    ),
  thanks: optionalText('Thanks', 2000),
  redirect_url: webAddress,
  collection_id: z.uuid().nullable(),
  tag: optionalText('Tag', 50),
  pipeline_id: z.uuid().nullable(),
  task_title: optionalText('Task', 200),
  task_days: z
    .int('Enter a number of days.')
    .min(0, 'Enter 0 to 365 days.')
    .max(365, 'Enter 0 to 365 days.'),
})

/** What a form is shown and read by: see the database's `shown_form`. */
export const shownForm = z.object({
  id: z.string(),
  account: z.string(),
  email: z.string().nullable(),
  name: z.string(),
  title: z.string().nullable(),
  intro: z.string().nullable(),
  fields: z.array(askedField),
  thanks: z.string().nullable(),
  redirect_url: z.string().nullable(),
  own: z.array(z.custom<OwnField>((value) => ownField.safeParse(value).success)),
})

export type ShownForm = z.output<typeof shownForm>

/** A field of a form with all that is known of it. */
export type LeadField = AskedField & { field: Field }

/** The fields of a form under its own labels; those of the user's own that no longer exist are left out. */
export function fieldsOfForm({ fields, own }: Pick<ShownForm, 'fields' | 'own'>): LeadField[] {
  const known = { ...leadFields, ...ownFields(own, 'contacts', 'all') }
  return fields.flatMap((asked) => {
    const field = known[asked.name]
    return field ? { ...asked, field: { ...field, label: asked.label, labels: {} } } : []
  })
}

/** How a field is asked for on a page. */
export type Control =
  | { control: 'input'; type: string; most: number; mode?: string }
  | { control: 'textarea'; most: number }
  | { control: 'select'; options: { value: string; label: string }[] }
  | { control: 'checkboxes'; options: { value: string; label: string }[] }

/** The control for a field, the same on our page and in what is pasted into others. */
export function controlOf({ field }: Pick<LeadField, 'field'>): Control {
  const { kind, choices = [], choiceNames = {} } = field
  const options = choices.map((value) => ({ value, label: choiceNames[value] ?? value }))
  switch (kind) {
    case 'email':
      return { control: 'input', type: 'email', most: 320 }
    case 'phone':
      return { control: 'input', type: 'tel', most: field.max ?? 50 }
    case 'day':
    case 'birthday':
      return { control: 'input', type: 'date', most: 10 }
    case 'number':
    case 'money':
      return { control: 'input', type: 'text', most: 30, mode: 'decimal' }
    case 'link':
      return { control: 'input', type: 'text', most: field.max ?? 500, mode: 'url' }
    case 'long text':
      return { control: 'textarea', most: field.max ?? 5000 }
    case 'choice':
      return { control: 'select', options }
    case 'several choices':
      return { control: 'checkboxes', options }
    case 'yes/no':
      return {
        control: 'select',
        options: [
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ],
      }
    default:
      return { control: 'input', type: 'text', most: field.max ?? 200 }
  }
}

/** What the browser may fill in by itself. */
export const autocomplete: Record<string, string> = {
  first_name: 'given-name',
  last_name: 'family-name',
  middle_name: 'additional-name',
  nickname: 'nickname',
  email: 'email',
  phone_number: 'tel',
  company: 'organization',
  role_title: 'organization-title',
}

/** The field that people do not see, so that only programs fill it in. */
export const trapName = 'homepage'
/** The field with the time at which our page was made. */
export const stampName = 'stamp'

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

/** What a visitor reads after sending. */
export const usualThanks = 'Thank you. We’ll be in touch.'

/** Lines to paste into any site: a form that works without a script of ours. */
export function pastedForm(fields: readonly LeadField[], address: string): string {
  const lines = fields.map((each) => `  ${pastedField(each)}`)
  return [
    `<form action="${escaped(address)}" method="post">`,
    ...lines,
    `  <input name="${trapName}" tabindex="-1" autocomplete="off" aria-hidden="true" style="position:absolute;left:-9999px">`,
    '  <button type="submit">Send</button>',
    '</form>',
  ].join('\n')
}

function pastedField(asked: LeadField): string {
  const { name, label, is_required } = asked
  const control = controlOf(asked)
  const attributes = `name="${escaped(name)}"${is_required && control.control !== 'checkboxes' ? ' required' : ''}`
  const fill = autocomplete[name] ? ` autocomplete="${autocomplete[name]}"` : ''
  if (control.control === 'checkboxes') {
    const boxes = control.options.map(
      ({ value, label: text }) =>
        `<label><input type="checkbox" name="${escaped(name)}" value="${escaped(value)}"> ${escaped(text)}</label>`,
    )
    return `<fieldset><legend>${escaped(label)}</legend>${boxes.join(' ')}</fieldset>`
  }
  if (control.control === 'select') {
    const options = control.options.map(
      ({ value, label: text }) => `<option value="${escaped(value)}">${escaped(text)}</option>`,
    )
    return `<label>${escaped(label)} <select ${attributes}><option value=""></option>${options.join('')}</select></label>`
  }
  const most = ` maxlength="${control.most}"`
  if (control.control === 'textarea') {
    return `<label>${escaped(label)} <textarea ${attributes}${most}></textarea></label>`
  }
  return `<label>${escaped(label)} <input type="${control.type}" ${attributes}${fill}${most}></label>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
