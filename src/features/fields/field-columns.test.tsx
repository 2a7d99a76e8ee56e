import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { companyColumns, companyFields, companySorts } from '#domain/fields/companies.ts'
import { contactColumns, contactFields, contactSorts } from '#domain/fields/contacts.ts'
import { dealColumns, dealFields, dealSorts } from '#domain/fields/deals.ts'
import type { Fields } from '#domain/fields/field.ts'
import { fieldColumns } from './field-columns.tsx'

const timeZone = 'Europe/Berlin'

test('the columns of contacts, companies and deals: as wide as ever, and sorted by what can be sorted', () => {
  const told = (fields: Fields, shown: readonly string[], sorts: readonly string[]) =>
    fieldColumns({ fields, shown, sorts, timeZone }).map(
      ({ header, width, grow, sort, isFigure }) =>
        `${header} ${width}+${grow}${sort ? '' : ' unsorted'}${isFigure ? ' figure' : ''}`,
    )
  expect(told(contactFields, contactColumns, contactSorts)).toEqual([
    'Email 186+7',
    'Phone 148+1',
    'Company 148+5',
    'Lead Status 112+1',
    'Tags 150+2 unsorted',
    'Notes 66+1',
    'Created 100+1',
    'Lead Score 88+1 figure',
    'Birthday 112+1',
    'Last Contacted 112+1',
    'Next Task 130+2',
  ])
  expect(told(companyFields, companyColumns, companySorts)).toEqual([
    'Website 172+3 unsorted',
    'Industry 100+4',
    'Location 100+4',
    'Tags 150+2 unsorted',
    'Contacts 92+1 figure',
    'Open Deals 104+1 figure',
    'Emails 184+3 unsorted',
    'Phones 140+1 unsorted',
    'Addresses 150+3 unsorted',
    'Created 100+1',
  ])
  expect(told(dealFields, dealColumns, dealSorts)).toEqual([
    'Stage 130+1',
    'Potential value 130+1 figure',
    'Expected Close 130+1',
    'Company 130+2',
    'Contact 130+2',
    'Tags 150+2 unsorted',
    'Next Task 140+2 unsorted',
    'Created 110+1',
  ])
})

/** Known at run time only, as a field of the user's own would be. */
const own: Fields = {
  size: { kind: 'choice', label: 'Size', choices: ['S'], choiceNames: { S: 'Small' } },
  points: { kind: 'number', label: 'Points' },
  budget: { kind: 'money', label: 'Budget' },
  since: { kind: 'day', label: 'Since' },
  email: { kind: 'email', label: 'Email' },
  phone: { kind: 'phone', label: 'Phone' },
  site: { kind: 'link', label: 'Site' },
  boss_id: { kind: 'record', label: 'Boss', key: 'boss', at: 'boss_name' },
}

test('a kind says how a value is shown; what is missing is a dash', () => {
  const row = {
    size: 'S',
    points: 0,
    budget: 1250.5,
    since: '2026-11-17',
    email: 'ada@example.com',
    phone: '+49 30 1234567',
    site: 'javascript:alert(1)',
    boss_name: null,
  }
  const shown = Object.entries(own).map(([name, { key = name }]) => key)
  const columns = fieldColumns<typeof row, string>({ fields: own, shown, sorts: [], timeZone })
  render(
    <MantineProvider>
      {columns.map(({ key, cell }) => (
        <div key={key} data-testid={key}>
          {cell(row)}
        </div>
      ))}
    </MantineProvider>,
  )
  const texts = shown.map((key) => screen.getByTestId(key).textContent)
  expect(texts).toEqual([
    'Small',
    '0',
    '$1,251',
    'Nov 17, 2026',
    'ada@example.com',
    '+49 30 1234567',
    expect.any(String),
    '-',
  ])
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'mailto:ada@example.com',
    'tel:+49301234567',
  ])
})

test('of a list the first entry shows, as a link where it is one, with the number of the others', () => {
  const row = {
    emails: [
      { label: 'work', value: 'hi@acme.com' },
      { label: '', value: 'us@acme.com' },
    ],
    phones: [{ label: '', value: '+49 30 1' }],
    links: [],
    addresses: [
      { label: '', street: '', postal_code: '', city: 'Berlin', region: '', country: '' },
    ],
  }
  const fields: Fields = {
    emails: { kind: 'emails', label: 'Emails' },
    phones: { kind: 'phones', label: 'Phones' },
    links: { kind: 'links', label: 'Links' },
    addresses: { kind: 'addresses', label: 'Addresses' },
  }
  const shown = Object.keys(fields)
  const columns = fieldColumns<typeof row, string>({ fields, shown, sorts: [], timeZone })
  const { container } = render(
    <MantineProvider>
      {columns.map(({ key, cell }) => (
        <section key={key}>{cell(row)}</section>
      ))}
    </MantineProvider>,
  )
  const cells = [...container.querySelectorAll('section')].map(({ textContent }) => textContent)
  expect(cells).toEqual(['hi@acme.com+1', '+49 30 1', '-', 'Berlin'])
  expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    'mailto:hi@acme.com',
    'tel:+49301',
  ])
  expect(screen.getByText('+1').title).toBe('us@acme.com')
})
