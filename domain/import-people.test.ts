import { describe, expect, test } from 'vitest'
import { mapColumns } from './import-headers.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

/** What a row of deals says of everybody on its deal: the cell of our own files. */
function reported(roles: string) {
  const columns = ['Deal Name', 'Contacts and Roles']
  const row = ['Engine', roles]
  const read = importRow(row, planImport('deals', mapColumns('deals', columns), [row], { columns }))
  if ('problem' in read) throw new Error(read.problem)
  return read.values
}

describe('somebody who is named twice in a row', () => {
  const ada = { first_name: 'Ada', last_name: 'King', email: 'ada@example.com' }

  test('is one contact with both roles', () => {
    const cell = 'Ada King <ada@example.com> (decides); Bob (pays); Ada King (uses); bob (Pays)'
    expect(reported(cell).further_contacts).toEqual([
      { ...ada, role: 'decides, uses' },
      { first_name: 'Bob', last_name: '', email: '', role: 'pays' },
    ])
  })

  test('has the role of the second place where the first says none', () => {
    expect(reported('<ADA@example.com>; Ada King <ada@example.com> (decides)')).toMatchObject({
      contact_first_name: 'Ada',
      contact_last_name: 'King',
      contact_email: 'ADA@example.com',
      further_contacts: [{ role: 'decides' }],
    })
  })

  test('has in a note of the deal what is too long for a role', () => {
    const long = 'signs whatever the committee has agreed upon by then'
    expect(reported(`Ada King (decides); Ada King (${long})`)).toMatchObject({
      further_contacts: [{ first_name: 'Ada', last_name: 'King', role: 'decides' }],
      kept_notes: [`Contacts and Roles: Ada King (${long})`],
    })
    const longer = `${long}, and nothing else`
    expect(reported(`Ada King (${longer})`)).toEqual({
      name: 'Engine',
      contact_first_name: 'Ada',
      contact_last_name: 'King',
      kept_notes: [`Contacts and Roles: Ada King (${longer})`],
    })
  })
})
