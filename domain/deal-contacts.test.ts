import { expect, test } from 'vitest'
import { changeWords } from './change-words.ts'
import { dealContactSchema, peopleOn } from './deal-contacts.ts'

const name = (first_name: string) => ({ first_name, last_name: null })
const row = (contact_id: string, role: string | null) => ({
  contact_id,
  role,
  contacts: name(contact_id),
})

test('the main contact comes first, with the role of its row, then the others', () => {
  const deal = { contact_id: 'Ada', contact: name('Ada') }
  const people = peopleOn(deal, [row('Bob', 'Pays'), row('Ada', 'Decides'), row('Eve', null)])
  expect(people.map(({ id, role, isMain }) => [id, role, isMain])).toEqual([
    ['Ada', 'Decides', true],
    ['Bob', 'Pays', false],
    ['Eve', null, false],
  ])
  expect(peopleOn(deal, [])).toHaveLength(1)
  // A contact that is just being deleted has no name any more.
  expect(
    peopleOn({ contact_id: null, contact: null }, [{ ...row('Bob', null), contacts: null }]),
  ).toEqual([])
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
