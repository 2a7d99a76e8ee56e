import { expect, test } from 'vitest'
import { changeWords } from './change-words.ts'
import { dealContactSchema, dealPeopleSchema, peopleChanges } from './deal-contacts.ts'
import { peopleOn, withoutPerson, withPerson } from './deal-people.ts'
import { fieldErrors } from './field-errors.ts'

const name = (first_name: string) => ({ first_name, last_name: null, email: null })
const row = (contact_id: string, role: string | null) => ({
  contact_id,
  role,
  name: name(contact_id),
})
const person = (id: string, role: string | null = null) => ({ id, role, name: name(id) })
const deal = {
  contact_id: 'Ada',
  contact: name('Ada'),
  people: [row('Bob', 'Pays'), row('Eve', null)],
}
const shown = (people: ReturnType<typeof peopleOn>) =>
  people.map(({ id, role, isMain }) => `${id}: ${role}${isMain ? ', main' : ''}`)

test('the main contact comes first, with the role of its row, then the others', () => {
  expect(shown(peopleOn(deal))).toEqual(['Ada: null, main', 'Bob: Pays', 'Eve: null'])
  const people = [...deal.people, row('Ada', 'Decides')]
  expect(shown(peopleOn({ ...deal, people }))[0]).toBe('Ada: Decides, main')
  expect(peopleOn({ contact_id: null, contact: null })).toEqual([])
})

test('somebody comes, gets a role, becomes the main one and goes', () => {
  expect(shown(peopleOn(withPerson(deal, person('Kim', 'Uses'), false)))).toEqual([
    'Ada: null, main',
    'Bob: Pays',
    'Eve: null',
    'Kim: Uses',
  ])
  expect(shown(peopleOn(withPerson(deal, person('Ada', 'Decides'), false)))[0]).toBe(
    'Ada: Decides, main',
  )
  // Whoever was the main one stays.
  expect(shown(peopleOn(withPerson(deal, person('Bob', 'Pays'), true)))).toEqual([
    'Bob: Pays, main',
    'Eve: null',
    'Ada: null',
  ])
  expect(shown(peopleOn(withoutPerson(deal, 'Ada')))).toEqual(['Bob: Pays', 'Eve: null'])
  expect(shown(peopleOn(withoutPerson(deal, 'Bob')))).toEqual(['Ada: null, main', 'Eve: null'])
})

test('a contact is chosen, a role may be any short word', () => {
  const parse = (input: object) =>
    dealContactSchema.safeParse({ contact_id: 'a', role: '', ...input })
  expect(parse({ role: ' Signs ' }).data).toEqual({ contact_id: 'a', role: 'Signs' })
  expect(parse({ contact_id: null }).error?.issues[0]?.message).toBe('Choose a contact.')
  expect(parse({ role: 'x'.repeat(61) }).success).toBe(false)
})

test('the history tells who was put on a deal, and in which role', () => {
  const change = {
    table_name: 'deal_contacts',
    row_id: 'r',
    label: 'Bob on Renewal',
    undoes: null,
    names: null,
    before: null,
    after: null,
  }
  const words = (values: object) =>
    changeWords({ ...change, verb: 'insert', ...values }, { timeZone: 'UTC' })
  expect(words({})).toEqual(['Contact “Bob on Renewal” added'])
  expect(words({ verb: 'delete' })).toEqual(['Contact “Bob on Renewal” removed'])
  expect(words({ verb: 'update', before: { role: 'Pays' }, after: { role: 'Uses' } })).toEqual([
    'Contact “Bob on Renewal”: role changed from Pays to Uses',
  ])
})

test('the form of a deal changes only who was touched', () => {
  const typed = (contact_id: string | null, role: string | null) => ({
    key: String(contact_id),
    contact_id,
    name: '',
    role,
  })
  const stored = [row('Bob', 'Pays'), row('Eve', null)]
  expect(peopleChanges(stored, null, 'Ada')).toEqual([])
  const same = [typed('Bob', 'Pays'), typed('Eve', null), typed(null, null)]
  expect(peopleChanges(stored, same, 'Ada')).toEqual([])
  const people = [typed('Bob', 'Uses'), typed('Kim', null), typed('Ada', 'Decides')]
  expect(peopleChanges(stored, people, 'Ada')).toEqual([
    { contact_id: 'Bob', role: 'Uses' },
    { contact_id: 'Kim', role: null },
    { contact_id: 'Ada', role: 'Decides' },
    { contact_id: 'Eve', is_gone: true },
  ])
  // The main contact needs no row for no role.
  expect(peopleChanges([], [typed('Ada', null)], 'Ada')).toEqual([])
})

test('a role in the form of a deal is somebody’s', () => {
  const errors = (people: object[] | null) => fieldErrors(dealPeopleSchema, { people })
  const input = { key: 'k', contact_id: null, name: '', role: '' }
  expect(errors(null)).toEqual({})
  expect(errors([input])).toEqual({})
  expect(errors([input, { ...input, role: 'Pays' }])).toEqual({
    'people.1.contact_id': 'Choose a contact.',
  })
  expect(errors([{ ...input, contact_id: 'a', role: 'x'.repeat(61) }])).toHaveProperty([
    'people.0.role',
  ])
})
