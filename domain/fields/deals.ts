import { worthOf } from '#domain/money.ts'
import { nameKey } from './contacts.ts'
import { created, type Fields, type KeyOf } from './field.ts'
import { listOrder, lower } from './order.ts'
import type { OwnKey } from './own.ts'

/** The fields of a deal, in the order of its form. */
export const dealFields = {
  name: {
    kind: 'text',
    label: 'Name',
    labels: { form: 'Deal Name', column: 'Deal', import: 'Deal Name' },
    isRequired: true,
    import: 'one column',
  },
  value: {
    kind: 'money',
    label: 'Value',
    labels: { column: 'Potential value', import: 'Value' },
    import: 'one column',
    sort: { first: 'desc' },
    filter: { by: 'range', label: 'Value' },
  },
  currency: { kind: 'currency', label: 'Currency', import: 'one column' },
  expected_close_date: {
    kind: 'day',
    label: 'Expected Close',
    labels: { form: 'Expected Close Date', import: 'Expected Close Date' },
    key: 'expected_close',
    import: 'one column',
    filter: { by: 'range', label: 'Closes', sent: 'close' },
  },
  pipeline_id: {
    kind: 'record',
    label: 'Pipeline',
    key: 'pipeline',
    at: 'pipeline_name',
    import: 'one column',
    filter: { by: 'one' },
  },
  stage_id: {
    kind: 'record',
    label: 'Stage',
    key: 'stage',
    at: 'stage_name',
    import: 'one column',
    sort: { asc: 'Earliest first', desc: 'Furthest first' },
    column: { width: 130, grow: 1 },
    filter: { by: 'any', hasNone: true },
  },
  // Only files say it: won or lost, beside the stage.
  status: { kind: 'text', label: 'Status', edit: 'never', import: 'one column' },
  lost_reason: {
    kind: 'text',
    label: 'Lost Reason',
    max: 2000,
    hasLines: true,
    edit: 'details',
    import: 'one column',
  },
  company_id: {
    kind: 'record',
    label: 'Company',
    key: 'company',
    at: 'company_name',
    import: 'one column',
    column: { width: 130 },
    filter: { by: 'one' },
  },
  contact_id: {
    kind: 'record',
    label: 'Contact',
    key: 'contact',
    at: 'contact',
    import: 'numbered columns',
    column: { width: 130 },
    filter: { by: 'one' },
  },
  // Of the contact, in files: whoever reads one need not guess where the first name ends.
  contact_first_name: {
    kind: 'text',
    label: 'Contact First Name',
    edit: 'never',
    import: 'numbered columns',
  },
  contact_last_name: {
    kind: 'text',
    label: 'Contact Last Name',
    edit: 'never',
    import: 'numbered columns',
  },
  contact_email: {
    kind: 'email',
    label: 'Contact Email',
    edit: 'never',
    import: 'numbered columns',
  },
  // What that contact does for the deal, in files of other programs.
  contact_role: {
    kind: 'text',
    label: 'Role on Deal',
    edit: 'never',
    import: 'numbered columns',
  },
  // Only our own files say it: everybody on the deal in one cell.
  contact_roles: {
    kind: 'text',
    label: 'Contacts and Roles',
    edit: 'never',
    import: 'one column',
  },
  tags: { kind: 'tags', label: 'Tags', import: 'many columns', filter: { by: 'any' } },
  next_task: { kind: 'record', label: 'Next Task', edit: 'never', column: { width: 140 } },
  // What it lacks follows from its tasks and from how long it is in its stage.
  attention: {
    kind: 'choice',
    label: 'Needs attention',
    edit: 'never',
    choices: ['no_next_step', 'stalled'],
    choiceNames: { no_next_step: 'No next step', stalled: 'Stalled' },
    filter: { by: 'any' },
  },
  created_at: { ...created, labels: { import: 'Created At' }, column: { width: 110 } },
  closed_at: {
    kind: 'moment',
    label: 'Closed',
    labels: { file: 'Closed At' },
    key: 'closed',
    edit: 'never',
    // A won and a lost time are two columns, of which a deal has one.
    import: 'many columns',
  },
} as const satisfies Fields

/** Those of a deal whose value is in this currency, or in the account's. */
export function dealFieldsIn(currency: string | null) {
  return { ...dealFields, value: { ...dealFields.value, currency } }
}

export type DealKey = KeyOf<typeof dealFields>

/** By what the list can be sorted, in the order of its menu. */
export const dealSorts = [
  'created',
  'name',
  'stage',
  'value',
  'expected_close',
  'company',
  'contact',
] as const satisfies DealKey[]

export type DealSort = (typeof dealSorts)[number]

/** By what the list can be filtered, in the order of the popover and of the address. */
export const dealFilters = [
  'pipeline',
  'stage',
  'company',
  'contact',
  'tags',
  'value',
  'expected_close',
  'attention',
] as const satisfies DealKey[]

/** What the table can show beside the deal itself. */
export const dealColumns = [
  'stage',
  'value',
  'expected_close',
  'company',
  'contact',
  'tags',
  'next_task',
  'created',
] as const satisfies DealKey[]

export type DealColumn = (typeof dealColumns)[number]

export const usualDealColumns: DealColumn[] = ['stage', 'value', 'expected_close']

type ListedDeal = {
  id: string
  value: number
  currency: string | null
  rate: number | null
  stage_id: string | null
  contact: { first_name: string | null; last_name: string | null } | null
}

/** A stage as the order of a list looks at it. */
export type OrderedStage = { id: string; name: string; order: number }

/** The order of the list, as the database has it; a deal whose stage is not among these comes last. */
export function dealOrder(
  sort: DealSort | OwnKey,
  descending: boolean,
  stages: OrderedStage[],
  own: Fields = {},
) {
  const keys = new Map(
    stages.map(({ id, name, order }) => [id, `${String(order).padStart(10, '0')} ${lower(name)}`]),
  )
  return listOrder<ListedDeal>({ ...dealFields, ...own }, sort, descending, {
    // Amounts of several currencies compare by what they are worth.
    value: worthOf,
    stage: ({ stage_id }) => keys.get(stage_id ?? '') ?? null,
    contact: ({ contact }) => contact && nameKey(contact),
  })
}
