import { expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'

onAnyDatabase((database) => {
  const save = (account: Account, lost_reasons: string[]) =>
    account.client
      .from('preferences')
      .update({ lost_reasons })
      .gte('week_starts_on', 0)
      .select('lost_reasons')
  const reasons = async (account: Account) =>
    (await ok(account.client.from('preferences').select('lost_reasons').single())).lost_reasons

  test('a new account begins with some; they keep their order, trimmed and each once', async () => {
    const owner = await database().signUp()
    expect(await reasons(owner)).toContain('Price')
    await ok(save(owner, [' Too late ', 'Price', '', 'PRICE', 'Boss said no']))
    expect(await reasons(owner)).toEqual(['Too late', 'Price', 'Boss said no'])
    await ok(save(owner, []))
    expect(await reasons(owner)).toEqual([])
  })

  test('too many and too long ones are refused', async () => {
    const owner = await database().signUp()
    const before = await reasons(owner)
    const many = Array.from({ length: 51 }, (_, n) => `Reason ${n}`)
    expect((await save(owner, many)).error?.code).toBe('PT400')
    expect((await save(owner, ['x'.repeat(201)])).error?.code).toBe('PT400')
    expect(await reasons(owner)).toEqual(before)
  })

  test('nobody changes those of another', async () => {
    const [owner, other] = [await database().signUp(), await database().signUp()]
    const before = await reasons(owner)
    const answer = await other.client
      .from('preferences')
      .update({ lost_reasons: ['Mine'] })
      .eq('user_id', owner.id)
      .select('lost_reasons')
    expect(answer.data ?? []).toEqual([])
    expect(await reasons(owner)).toEqual(before)
  })

  test('a backup brings them into another account, none too', async () => {
    for (const kept of [['Boss said no', 'Price'], []]) {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      await ok(save(owner, kept))
      await ok(sendBackup(other, await backUp(owner), { account: owner.id, version: 2 }))
      expect(await reasons(other)).toEqual(kept)
    }
  })
})
