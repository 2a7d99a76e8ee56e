import { beforeEach, expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account

  beforeEach(async () => {
    owner = await database().signUp()
  })

  type Seen = { query?: string; widths?: Record<string, number> }
  const remember = (screen: string, seen: Seen, who = owner, account = who.id) =>
    who.client.rpc('remember_screen', { account, screen, ...seen })
  const screens = async (who = owner) =>
    (await ok(who.client.from('preferences').select('screens').single())).screens

  test('each list is remembered alone, and what is left out stays', async () => {
    expect(await screens()).toEqual({})
    expect((await remember('contacts', { query: 'sort=name' })).error).toBeNull()
    expect((await remember('contacts', { widths: { email: 240 } })).error).toBeNull()
    expect((await remember('deals', { query: 'view=board' })).error).toBeNull()
    expect(await screens()).toEqual({
      contacts: { query: 'sort=name', widths: { email: 240 } },
      deals: { query: 'view=board', widths: {} },
    })
    await remember('contacts', { query: '', widths: {} })
    expect(await screens()).toMatchObject({ contacts: { query: '', widths: {} } })
  })

  test('what no screen can show is not stored', async () => {
    expect(await remember('reports', { query: 'x=1' })).toMatchObject({ status: 400 })
    const nonsense = {
      reports: { query: 'x=1' },
      tasks: 'agenda',
      deals: { query: 'x'.repeat(8001), widths: { a: 10, b: 5000, c: '90', d: 90 }, more: 1 },
    }
    await ok(
      owner.client
        .from('preferences')
        .update({ screens: nonsense })
        .eq('user_id', owner.id)
        .select(),
    )
    expect(await screens()).toEqual({ deals: { query: '', widths: { d: 90 } } })
  })

  test('nobody writes or reads those of another; nothing of it is in the log', async () => {
    const stranger = await database().signUp()
    await remember('tasks', { query: 'view=agenda' })
    await remember('tasks', { query: 'view=week' }, stranger)
    // A late write of an account that has signed out meanwhile.
    expect((await remember('tasks', { query: 'tab=x' }, stranger, owner.id)).error).toBeNull()
    expect(await screens()).toMatchObject({ tasks: { query: 'view=agenda' } })
    expect(await screens(stranger)).toMatchObject({ tasks: { query: 'view=week' } })
    const { anonymous } = database()
    const unsigned = { account: owner.id, screen: 'tasks', query: '' }
    expect(await anonymous.rpc('remember_screen', unsigned)).toMatchObject({ status: 401 })
    expect(await ok(owner.client.from('changes').select('table_name'))).toEqual([])
  })

  test('a tag that is renamed is renamed in the filter that was last used', async () => {
    await add(owner, 'contacts', { first_name: 'Ada', tags: ['vip'] })
    await remember('contacts', { query: 'sort=name&tags=VIP', widths: { email: 200 } })
    await remember('deals', { query: 'sort=name' })
    await ok(owner.client.rpc('rename_tag', { tag: 'vip', name: 'Big fish' }))
    expect(await screens()).toEqual({
      contacts: { query: 'sort=name&tags=Big+fish', widths: { email: 200 } },
      deals: { query: 'sort=name', widths: {} },
    })
  })

  test('a backup brings them into another account, by the ids there', async () => {
    const company = (await add(owner, 'companies', { name: 'Acme' })).id as string
    await remember('contacts', { query: `company=${company}&sort=name`, widths: { email: 200 } })
    const other = await database().signUp()
    await ok(sendBackup(other, await backUp(owner), { account: owner.id, version: 2 }))
    const [restored] = await ok(other.client.from('companies').select('id'))
    expect(restored?.id).not.toBe(company)
    expect(await screens(other)).toEqual({
      contacts: { query: `company=${restored?.id}&sort=name`, widths: { email: 200 } },
    })
  })
})
