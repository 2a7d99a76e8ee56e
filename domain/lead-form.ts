import { z } from 'zod'
import { contactFields } from './fields/contacts.ts'
import type { Field, Fields } from './fields/field.ts'
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
export const telling = ['email', 'phone_number', 'first_name', 'last_name']

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
  thanks: optionalText('Thank-you message', 2000),
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

/** What a visitor reads after sending. */
export const usualThanks = 'Thank you. We’ll be in touch.'
