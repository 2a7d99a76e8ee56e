import { beforeEach, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  let imports: ReturnType<typeof importCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    imports = importCalls(owner)
  })

  const mails = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ label: '', value: `m${n}@example.com` }))
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ label: '', value: `+49 30 55500${10 + n}` }))
  const place = (street: string, label = '') => ({
    label,
    street,
    postal_code: '10115',
    city: 'Berlin',
    region: '',
    country: 'Germany',
  })

  test('what the list of a company cannot hold becomes a note on it, once', async () => {
    await add(owner, 'companies', { name: 'Acme', emails: mails(20) })
    const row = { name: 'Acme', emails: [{ label: 'Sales', value: 'sales@example.com' }] }
    const notes = async () =>
      (await ok(owner.client.from('notes').select('body, company_id'))).map(({ body }) => body)
    expect((await imports.whole('companies', rowsOf(row), 'update')).summary).toMatchObject({
      updated: 1,
    })
    expect(await notes()).toEqual(['Other email address: sales@example.com (Sales)'])
    expect(await ok(owner.client.from('companies').select('emails'))).toEqual([
      { emails: mails(20) },
    ])
    expect(await imports.whole('companies', rowsOf(row), 'update')).toMatchObject({ batch: null })
    expect(await notes()).toHaveLength(1)
  })

  test('an update fills the lists of a contact, and what they cannot hold goes to the notes', async () => {
    await add(owner, 'contacts', {
      first_name: 'Ada',
      email: 'm0@example.com',
      emails: mails(19),
      phone_number: '+49 30 5550010',
      phones: numbers(20),
      addresses: Array.from({ length: 20 }, (_, n) => place(`Street ${n}`)),
      notes: 'By hand',
    })
    const row = {
      email: 'm0@example.com',
      emails: [
        { label: '', value: 'm0@example.com' },
        { label: 'home', value: 'fits@example.com' },
        { label: 'work', value: 'beyond@example.com' },
      ],
      phone_number: '+49 40 1234567',
      addresses: [place('Hafen 1\nHaus 2', 'Boat')],
      notes: 'From the file',
    }
    const id = await imports.staged('contacts', rowsOf(row))
    await imports.check(id)
    const beyond =
      'Other email address: beyond@example.com (Work)\nOther phone number: +49 40 1234567\nOther address: Hafen 1, Haus 2, 10115 Berlin, Germany (Boat)'
    const [shown] = await imports.page(id, ['known'])
    expect(shown?.changes).toMatchObject({
      notes: ['By hand', `By hand\nFrom the file\n${beyond}`],
    })
    const { summary, batch } = await imports.commit(id, 'update')
    expect(summary).toMatchObject({ updated: 1 })
    const stored = async () => {
      const [contact] = await ok(
        owner.client
          .from('contacts')
          .select('email, emails, phone_number, phones, addresses, notes'),
      )
      return contact
    }
    const once = await stored()
    expect(once).toMatchObject({
      email: 'm0@example.com',
      emails: [...mails(19), { label: 'home', value: 'fits@example.com' }],
      phone_number: '+49 30 5550010',
      phones: numbers(20),
      notes: `By hand\nFrom the file\n${beyond}`,
    })
    expect(once?.addresses).toHaveLength(20)
    expect(await imports.whole('contacts', rowsOf(row), 'update')).toMatchObject({ batch: null })
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await stored()).toMatchObject({ emails: mails(19), notes: 'By hand' })
  })

  test('a new first address replaces none of a full list', async () => {
    await add(owner, 'contacts', {
      first_name: 'Ada',
      last_name: 'King',
      phone_number: '1',
      email: 'm0@example.com',
      emails: mails(20),
    })
    const row = {
      email: 'new@example.com',
      emails: [{ label: '', value: 'new@example.com' }, ...mails(1)],
    }
    await imports.whole('contacts', rowsOf(row), 'update')
    expect(await ok(owner.client.from('contacts').select('email, emails, notes'))).toEqual([
      { email: 'm0@example.com', emails: mails(20), notes: 'Other email address: new@example.com' },
    ])
  })
})
