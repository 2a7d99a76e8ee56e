import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { allFieldsCsv } from '#domain/all-fields-csv.ts'
import { allDealsCsv } from '#domain/deal-csv.ts'
import type { Fields } from '#domain/fields/field.ts'
import { type OwnField, type OwnKind, ownFields, ownKindNames } from '#domain/fields/own.ts'
import { leftOutWords } from '#domain/import-column-words.ts'
import type { ImportKind } from '#domain/import-headers.ts'
import { createFileSession } from './file-session.ts'

const options = [
  { id: 'golf', name: 'Golf', color: 'blue' },
  { id: 'cart', name: 'Cart, horse', color: 'red' },
]
const written: Record<OwnKind, unknown> = {
  text: '=1+1',
  'long text': 'One\n"two", three',
  number: 1.234,
  money: 1200.5,
  day: '1998-03-12',
  'yes/no': false,
  choice: 'cart',
  'several choices': ['golf'],
  link: 'https://acme.example/a',
  email: 'own@example.com',
  phone: '+44 20 1234',
}
const fieldsOf = (record: ImportKind): OwnField[] =>
  ownKindNames.map((kind, position) => ({
    id: `f${position}`,
    record,
    name: `Own ${kind}`,
    kind,
    options: kind.includes('choice') ? options : [],
    position,
    is_hidden: false,
  }))
const custom = Object.fromEntries(ownKindNames.map((kind, place) => [`f${place}`, written[kind]]))

/** What an import reads of the file that the app writes, in this account and in one that has none of its fields. */
async function reread(kind: ImportKind, rowOf: (own: Fields) => string[][], left: string | null) {
  const text = Papa.unparse(rowOf(ownFields(fieldsOf(kind), kind)), { newline: '\r\n' })
  const session = createFileSession()
  const open = async (known: OwnField[]) => {
    const opened = await session.open(new File([text], 'own.csv'), known)
    if ('problem' in opened) throw new Error(opened.problem)
    const { plan, columns } = opened.interpretation
    expect(plan).toMatchObject({ kind, isOwn: true })
    const [sent] = await session.part(plan, 0)
    return {
      reported: sent?.reported,
      problem: sent?.problem,
      plan,
      left: leftOutWords(columns, plan.mapping),
    }
  }
  const elsewhere = await open([])
  expect(elsewhere).toMatchObject({ problem: undefined, left })
  expect(elsewhere.plan.own.map(({ name }) => name)).toEqual(
    ownKindNames.map((each) => `Own ${each}`),
  )
  const here = await open(fieldsOf(kind))
  expect(here).toMatchObject({ problem: undefined, left })
  return here.reported
}

test('an export of all fields of contacts is read as it was written', async () => {
  const ada = {
    first_name: '=Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    lead_status: 'Qualified',
    birthday: '1815-12-10',
    tags: ['Math'],
    created_at: '2026-01-02T08:15:00.000Z',
  }
  const last_contacted = '2026-02-02T08:15:00.000Z'
  const written = (own: Fields) => {
    const { header, row } = allFieldsCsv('contacts', own)
    return [header, row({ ...ada, last_contacted, custom })]
  }
  expect(await reread('contacts', written, 'Not imported: Last Contacted.')).toEqual({
    ...ada,
    custom,
  })
})

test('an export of all fields of companies is read as it was written', async () => {
  const acme = {
    name: '-20% Acme',
    website: 'https://acme.example',
    location: 'Main St 1, Boston, MA',
    emails: [{ label: 'Sales', value: 'sales@acme.example' }],
    created_at: '2026-01-02T08:15:00.000Z',
  }
  const written = (own: Fields) => {
    const { header, row } = allFieldsCsv('companies', own)
    return [header, row({ ...acme, custom })]
  }
  expect(await reread('companies', written, null)).toEqual({ ...acme, custom })
})

test('an export of all fields of deals is read as it was written, with everybody on it and their roles', async () => {
  const engine = {
    name: '-20% offer',
    value: 1234.5,
    currency: 'EUR',
    created_at: '2026-01-02T08:15:00.000Z',
    tags: ['Hot'],
  }
  const contact = { first_name: 'Mary Ann', last_name: 'Trip', email: 'mary@example.com' }
  const people = [
    { id: 'c', role: 'decides', ...contact },
    { id: 'b', role: 'pays; uses', first_name: 'Bob', last_name: null, email: 'bob@example.com' },
    { id: 'e', role: null, first_name: null, last_name: null, email: 'eve@example.com' },
  ]
  const written = (own: Fields) => {
    const { header, row } = allDealsCsv(own)
    const deal = {
      ...engine,
      pipeline_name: 'Sales',
      stage_name: 'Won',
      company_name: null,
      contact_id: 'c',
      contact,
      next_task: { title: 'Call' },
      expected_close_date: null,
      lost_reason: null,
      closed_at: null,
      custom,
    }
    return [header, row(deal, people)]
  }
  expect(await reread('deals', written, 'Not imported: Next Task.')).toEqual({
    ...engine,
    pipeline: 'Sales',
    stage: 'Won',
    contact_first_name: 'Mary Ann',
    contact_last_name: 'Trip',
    contact_email: 'mary@example.com',
    further_contacts: [
      { ...contact, role: 'decides' },
      { first_name: 'Bob', last_name: '', email: 'bob@example.com', role: 'pays; uses' },
      { first_name: '', last_name: '', email: 'eve@example.com' },
    ],
    custom,
  })
})
