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

describe('the role on the deal, of a file of another program', () => {
  /** Which fields columns fill, and what a row of their deals says. */
  function read(cells: Record<string, string>) {
    const [columns, row] = [Object.keys(cells), Object.values(cells)]
    const mapping = mapColumns('deals', columns, [row])
    const found = importRow(row, planImport('deals', mapping, [row], { columns }))
    if ('problem' in found) throw new Error(found.problem)
    return { mapping, values: found.values }
  }

  const deal = { 'Opportunity Name': 'Engine', 'Contact Name': 'Ada King' }
  const ada = { first_name: 'Ada', last_name: 'King', email: '' }

  test('is that of the contact, and the title beside it is the job', () => {
    const { mapping, values } = read({
      ...deal,
      'Contact Role': 'Decision Maker',
      Title: 'Countess',
    })
    expect(mapping).toEqual(['name', 'contact', 'contact_role', 'contact: role_title'])
    expect(values).toMatchObject({
      further_contacts: [{ ...ada, role: 'Decision Maker' }],
      person: { role_title: 'Countess' },
    })
  })

  test.each([
    ['Role', 'Job Title'],
    ['Contact: Role', 'Contact: Title'],
    ['Person - Role', 'Person - Job title'],
    ['Rolle', 'Position'],
    ['Rôle', 'Fonction'],
    ['Buying Role', 'Role'],
    ['Rol del contacto', 'Cargo'],
    ['取引先責任者の役割', '役職'],
  ])('is %s beside %s', (role, job) => {
    const { mapping } = read({ ...deal, [role]: 'Pays', [job]: 'Countess' })
    expect(mapping.slice(2)).toEqual(['contact_role', 'contact: role_title'])
  })

  test('is not what alone may be the job, nor of nobody', () => {
    expect(read({ ...deal, Role: 'Countess' }).mapping[2]).toBe('contact: role_title')
    expect(read({ 'Deal Name': 'Engine', 'Contact Role': 'Pays' }).mapping).toEqual(['name', null])
    expect(read({ Title: 'Engine', 'Contact Name': 'Ada' }).mapping[0]).toBe('name')
    const named = { Name: 'Engine', Contacts: 'Ada', Title: 'Countess' }
    expect(read(named).mapping).toEqual(['name', 'contact', 'contact: role_title'])
    expect(read({ Name: 'Ada', Title: 'Engine', Amount: '5' }).mapping[1]).toBe('name')
    // A row without the contact keeps it in a note on the deal.
    expect(read({ ...deal, 'Contact Name': '', 'Contact Role': 'Pays' }).values).toEqual({
      name: 'Engine',
      kept_notes: ['Contact Role: Pays'],
    })
  })

  test('of several contacts stands by their numbers, or in their order', () => {
    const bob = { first_name: 'Bob', last_name: '', email: '' }
    const both = [
      { ...ada, role: 'Decides' },
      { ...bob, role: 'Pays' },
    ]
    const numbered = { 'Contact 1': 'Ada King', 'Contact 1 Role': 'Decides', 'Contact 2': 'Bob' }
    expect(
      read({ 'Deal Name': 'Engine', ...numbered, 'Contact Role 2': 'Pays' }).values,
    ).toMatchObject({ further_contacts: both })
    const named = { ...deal, 'Contact Name': 'Ada King; Bob' }
    expect(read({ ...named, 'Contact Role': 'Decides; Pays' }).values).toMatchObject({
      further_contacts: both,
    })
    expect(read({ ...named, 'Contact Role': 'Decides' }).values).toMatchObject({
      further_contacts: [bob],
      kept_notes: ['Contact Role: Decides'],
    })
  })

  test('that is longer than one may be is kept in a note on the deal', () => {
    const long = 'signs whatever the committee has agreed upon by then, and nothing else'
    expect(read({ ...deal, 'Contact Role': long }).values).toMatchObject({
      kept_notes: [`Contact Role: Ada King (${long})`],
    })
  })
})
