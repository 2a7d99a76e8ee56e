import { beforeEach, describe, expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { fieldCalls } from './own-field-calls.ts'
import { add } from './samples.ts'

type Money = { value: number; currency: string | null; rate: number | null }
type Totals = { count: number; sum: string; uncounted: Record<string, number> }
type Undone = { undone: number; conflicts: unknown[] }

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  const deal = (values: Record<string, unknown>, account = owner) => add(account, 'deals', values)
  const rate = (currency: string, worth: number | null, account = owner) =>
    // The generated types do not know that an argument may be null.
    ok(account.client.rpc('set_rate', { currency, rate: worth as number }))
  const change = (
    to: { currency: string; keep: boolean; rate?: number },
    account = owner,
  ): Promise<unknown> => ok(account.client.rpc('change_currency', to))
  const moneyOf = async (id: string, account = owner): Promise<Money> =>
    ok(account.client.from('deals').select('value, currency, rate').eq('id', id).single())
  const totals = async (filter = {}, account = owner) =>
    (await ok(account.client.rpc('deal_totals', { filter }))) as Totals
  const close = async (id: string, outcome = 'won') =>
    (await ok(owner.client.rpc('close_deals', { filter: { ids: [id] }, outcome }))) as {
      batch: string
    }
  const reopen = (id: string) =>
    ok(owner.client.from('deals').update({ stage_id: null }).eq('id', id).select())
  const undo = async (batch: string) =>
    (await ok(owner.client.rpc('undo_batch', { batch }))) as Undone
  const lastBatch = async (id: string) => {
    const [change] = await ok(
      owner.client
        .from('changes')
        .select('batch')
        .eq('row_id', id)
        .order('id', { ascending: false })
        .limit(1),
    )
    return change?.batch ?? ''
  }
  const preferences = (account = owner) =>
    ok(account.client.from('preferences').select('currency, rates').single())

  test('sums are made in the account’s currency, and what has no rate is told and not summed', async () => {
    await deal({ value: 100 })
    await deal({ value: 200, currency: 'EUR' })
    await deal({ value: 50, currency: 'CHF' })
    await deal({ value: 60, currency: 'CHF' })
    await rate('EUR', 1.1)
    expect(await totals()).toEqual({ count: 4, sum: '320.00', uncounted: { CHF: 2 } })
    await rate('CHF', 1.2)
    expect(await totals()).toEqual({ count: 4, sum: '452.00', uncounted: {} })
    // A rate that was forgotten is told again.
    await rate('EUR', null)
    expect(await totals()).toEqual({ count: 4, sum: '232.00', uncounted: { EUR: 1 } })
  })

  test('the board, the dashboard and the report sum the same way', async () => {
    const [pipeline] = await ok(owner.client.from('pipelines').select('id'))
    const stages = await ok(owner.client.from('pipeline_stages').select('id, name'))
    const stage = stages.find(({ name }) => name === 'Proposal')?.id
    await rate('EUR', 1.1)
    await deal({ value: 200, currency: 'EUR', stage_id: stage })
    await deal({ value: 50, currency: 'CHF', stage_id: stage })
    await deal({ value: 7, currency: 'CHF' })
    const board: unknown = await ok(
      owner.client.rpc('deal_board', { pipeline: pipeline?.id ?? '' }),
    )
    const columns = board as { stage_id: string | null; sum: string }[]
    expect(columns.find(({ stage_id }) => stage_id === stage)).toMatchObject({
      count: 2,
      sum: '220.00',
      weighted: '110.00',
      uncounted: { CHF: 1 },
    })
    expect(columns.find(({ stage_id }) => stage_id === null)).toMatchObject({
      count: 1,
      sum: '0',
      uncounted: { CHF: 1 },
    })
    expect(await ok(owner.client.rpc('dashboard', {}))).toMatchObject({
      deals: { total: 3, value: '220.00' },
      uncounted: { CHF: 2 },
      attention: {
        rows: [
          { value: 200, currency: 'EUR' },
          { value: expect.any(Number), currency: 'CHF' },
          { value: expect.any(Number), currency: 'CHF' },
        ],
      },
    })
    expect(await ok(owner.client.rpc('report', {}))).toMatchObject({
      total_value: '220.00',
      total_deals: 3,
      uncounted: { CHF: 2 },
    })
  })

  test('lists sort and filter by what deals are worth; those without a rate come last', async () => {
    await rate('JPY', 0.01)
    await deal({ name: 'yen', value: 5000, currency: 'JPY' })
    await deal({ name: 'dollars', value: 60 })
    await deal({ name: 'francs', value: 9000, currency: 'CHF' })
    const names = async (args: object) => {
      const page: unknown = await ok(owner.client.rpc('deal_page', args as never))
      return (page as { rows: { name: string }[] }).rows.map(({ name }) => name)
    }
    expect(await names({ sort: 'value', descending: true })).toEqual(['dollars', 'yen', 'francs'])
    expect(await names({ sort: 'value', descending: false })).toEqual(['yen', 'dollars', 'francs'])
    const worth = { sort: 'name', descending: false }
    expect(await names({ ...worth, filter: { value_from: 50 } })).toEqual(['dollars', 'yen'])
    expect(await names({ ...worth, filter: { value_to: 55 } })).toEqual(['yen'])
    for (const filter of [{ value_from: '-Infinity' }, { value_to: 'Infinity' }]) {
      expect(await names({ ...worth, filter })).toEqual(['dollars', 'yen'])
    }
    // Page by page, also where the place between two pages has no rate.
    const first: unknown = await ok(
      owner.client.rpc('deal_page', { sort: 'value', descending: true, page_size: 2 }),
    )
    const { next } = first as { next: { key: string; id: string } }
    expect(await names({ sort: 'value', descending: true, after: next })).toEqual(['francs'])
    expect(await totals({ value_from: 50 })).toMatchObject({ count: 2, sum: '110.00' })
  })

  test('a closed deal keeps the rate of its closing day; open ones follow', async () => {
    await rate('EUR', 1.1)
    const [won, open] = [
      await deal({ value: 10, currency: 'EUR' }),
      await deal({ value: 10, currency: 'EUR' }),
    ]
    await close(won.id)
    await rate('EUR', 2)
    expect(await moneyOf(won.id)).toEqual({ value: 10, currency: 'EUR', rate: 1.1 })
    expect(await moneyOf(open.id)).toEqual({ value: 10, currency: 'EUR', rate: 2 })
    // What is corrected on it does not change what a euro was worth.
    await ok(owner.client.from('deals').update({ value: 20 }).eq('id', won.id).select())
    await close(won.id, 'lost')
    expect(await moneyOf(won.id)).toEqual({ value: 20, currency: 'EUR', rate: 1.1 })
    await reopen(won.id)
    expect((await moneyOf(won.id)).rate).toBe(2)
    expect(await undo(await lastBatch(won.id))).toMatchObject({ conflicts: [] })
    expect((await moneyOf(won.id)).rate).toBe(1.1)
  })

  test('the rate of a closed deal can be corrected, and that undone; an open one keeps that of today', async () => {
    await rate('EUR', 1.1)
    const [won, open] = [
      await deal({ value: 10, currency: 'EUR' }),
      await deal({ value: 10, currency: 'EUR' }),
    ]
    await close(won.id)
    for (const { id } of [won, open]) {
      await ok(owner.client.from('deals').update({ rate: 1.25 }).eq('id', id).select())
    }
    expect((await moneyOf(won.id)).rate).toBe(1.25)
    expect((await moneyOf(open.id)).rate).toBe(1.1)
    await rate('EUR', 3)
    expect((await moneyOf(won.id)).rate).toBe(1.25)
    const [logged] = await ok(
      owner.client
        .from('changes')
        .select('before, after, batch')
        .eq('row_id', won.id)
        .order('id', { ascending: false })
        .limit(1),
    )
    expect(logged).toMatchObject({ before: { rate: 1.1 }, after: { rate: 1.25 } })
    expect(await undo(logged?.batch ?? '')).toMatchObject({ conflicts: [] })
    expect((await moneyOf(won.id)).rate).toBe(1.1)
    const refused = await owner.client.from('deals').update({ rate: 0 }).eq('id', won.id)
    expect(refused.error).not.toBeNull()
  })

  test('one that was closed before there was a rate gets the first one', async () => {
    const { id } = await deal({ value: 10, currency: 'EUR' })
    await close(id)
    await rate('EUR', 1.5)
    expect((await moneyOf(id)).rate).toBe(1.5)
    await rate('EUR', 3)
    expect((await moneyOf(id)).rate).toBe(1.5)
  })

  test('a rate is nobody’s change of a deal: neither the log nor the version tells it', async () => {
    const { id, updated_at } = await deal({ value: 10, currency: 'EUR' })
    const batch = await lastBatch(id)
    await rate('EUR', 1.5)
    const [now] = await ok(owner.client.from('deals').select('updated_at, rate').eq('id', id))
    expect(now).toEqual({ updated_at, rate: 1.5 })
    expect(await lastBatch(id)).toBe(batch)
  })

  test('the account’s own currency is stored as none, in capitals or not', async () => {
    const { id } = await deal({ value: 10, currency: 'usd' })
    expect(await moneyOf(id)).toEqual({ value: 10, currency: null, rate: null })
    const other = await deal({ value: 10, currency: ' eur ' })
    expect((await moneyOf(other.id)).currency).toBe('EUR')
  })

  test.each([{ currency: 'EURO' }, { currency: '€' }, { currency: 'EUR', rate: 2 }])(
    'a deal refuses %o',
    async (values) => {
      const answer = await owner.client.from('deals').insert({ name: 'x', ...values } as never)
      expect(answer.status).toBeGreaterThanOrEqual(400)
    },
  )

  test.each([
    { rates: [5] },
    { rates: { EUR: 0 } },
    { rates: { EUR: '1.1' } },
    { rates: { euro: 1 } },
    { rates: { EUR: null } },
    { currency: 'EUR' },
    { clock: 13 },
    { number_format: '1_000' },
    { date_format: 'whenever' },
  ])('preferences refuse %o', async (values) => {
    const answer = await owner.client
      .from('preferences')
      .update(values as never)
      .eq('user_id', owner.id)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await preferences()).toEqual({ currency: 'USD', rates: {} })
  })

  test('two windows that set two rates lose neither; nobody sets those of others', async () => {
    const other = await database().signUp()
    const foreign = await deal({ value: 10, currency: 'EUR' }, other)
    await Promise.all([rate('EUR', 1.1), rate('CHF', 1.2)])
    expect((await preferences()).rates).toEqual({ EUR: 1.1, CHF: 1.2 })
    expect((await preferences(other)).rates).toEqual({})
    await change({ currency: 'EUR', keep: true })
    expect(await moneyOf(foreign.id, other)).toEqual({ value: 10, currency: 'EUR', rate: null })
    for (const [name, args] of [
      ['set_rate', { currency: 'EUR', rate: 1 }],
      ['change_currency', { currency: 'EUR', keep: true }],
    ] as const) {
      const answer = await database().anonymous.rpc(name, args)
      expect(answer.status).toBeGreaterThanOrEqual(401)
    }
  })

  describe('another currency of the account', () => {
    test('deals keep theirs: all amounts and closed rates stay what they were worth', async () => {
      await rate('EUR', 1.25)
      await rate('CHF', 1.5)
      const [dollars, euros, francs, won] = [
        await deal({ value: 100 }),
        await deal({ value: 100, currency: 'EUR' }),
        await deal({ value: 100, currency: 'CHF' }),
        await deal({ value: 100, currency: 'CHF' }),
      ]
      await close(won.id)
      await rate('CHF', 2)
      await change({ currency: 'EUR', keep: true })
      expect(await preferences()).toEqual({ currency: 'EUR', rates: { USD: 0.8, CHF: 1.6 } })
      expect(await moneyOf(dollars.id)).toEqual({ value: 100, currency: 'USD', rate: 0.8 })
      expect(await moneyOf(euros.id)).toEqual({ value: 100, currency: null, rate: null })
      expect(await moneyOf(francs.id)).toEqual({ value: 100, currency: 'CHF', rate: 1.6 })
      // 1.5 dollars when it was won, which are 1.2 euros.
      expect(await moneyOf(won.id)).toEqual({ value: 100, currency: 'CHF', rate: 1.2 })
      expect(await totals()).toEqual({ count: 4, sum: '460.00', uncounted: {} })
    })

    test('or take the new one, as if they had always been in it', async () => {
      const [plain, francs] = [
        await deal({ value: 100 }),
        await deal({ value: 100, currency: 'CHF' }),
      ]
      await rate('CHF', 1.5)
      await change({ currency: 'EUR', keep: false, rate: 0.8 })
      expect(await moneyOf(plain.id)).toEqual({ value: 100, currency: null, rate: null })
      expect((await moneyOf(francs.id)).rate).toBe(1.2)
      expect(await totals()).toEqual({ count: 2, sum: '220.00', uncounted: {} })
    })

    test('without a rate between the two nothing is mixed', async () => {
      await rate('CHF', 1.5)
      await deal({ value: 100 })
      await deal({ value: 100, currency: 'CHF' })
      await change({ currency: 'EUR', keep: true })
      expect(await preferences()).toEqual({ currency: 'EUR', rates: {} })
      expect(await totals()).toEqual({ count: 2, sum: '0', uncounted: { CHF: 1, USD: 1 } })
    })

    test('what is undone or brought back later is in the currency that it was in', async () => {
      const [edited, gone] = [await deal({ value: 100 }), await deal({ value: 70 })]
      await ok(owner.client.from('deals').update({ value: 120 }).eq('id', edited.id).select())
      const edit = await lastBatch(edited.id)
      await ok(owner.client.from('deals').delete().eq('id', gone.id).select())
      const removal = await lastBatch(gone.id)
      await change({ currency: 'EUR', keep: true, rate: 0.8 })
      await undo(edit)
      await undo(removal)
      expect(await moneyOf(edited.id)).toEqual({ value: 100, currency: 'USD', rate: 0.8 })
      expect(await moneyOf(gone.id)).toEqual({ value: 70, currency: 'USD', rate: 0.8 })
    })
  })

  test('the log tells an amount with its currency, and which own fields are money', async () => {
    const budget = await fieldCalls(owner).field('money', { record: 'deals' })
    const { id } = await deal({ value: 100, currency: 'CHF' })
    const changes = { value: 200, custom: { [budget]: 5 } }
    await ok(owner.client.from('deals').update(changes).eq('id', id).select())
    const [logged] = await ok(
      owner.client
        .from('changes')
        .select('before, after, names')
        .eq('batch', await lastBatch(id)),
    )
    expect(logged?.before).toMatchObject({ value: 100, currency: 'CHF' })
    expect(logged?.after).toMatchObject({ value: 200, currency: 'CHF' })
    expect(logged?.names).toMatchObject({ [`${budget}.kind`]: 'money' })
  })

  test('many deals get a currency at once, and undo gives the old ones back', async () => {
    await rate('EUR', 2)
    const [one, other] = [await deal({ value: 1 }), await deal({ value: 2, currency: 'CHF' })]
    const answer: unknown = await ok(
      owner.client.rpc('update_deals', { filter: {}, changes: { currency: 'EUR' } }),
    )
    expect(await totals()).toMatchObject({ sum: '6.00' })
    await undo((answer as { batch: string }).batch)
    expect((await moneyOf(one.id)).currency).toBeNull()
    expect((await moneyOf(other.id)).currency).toBe('CHF')
  })

  test('an import sets the currency, and keeps it where the file says none', async () => {
    const imports = importCalls(owner)
    await rate('EUR', 2)
    const stage = 'Closed Won'
    await imports.whole(
      'deals',
      rowsOf(
        { name: 'a', value: 10, currency: 'EUR' },
        { name: 'b', value: 10, currency: 'USD' },
        { name: 'c', value: 10, currency: 'EUR', stage, closed_at: '2026-01-01T00:00:00Z' },
      ),
    )
    await imports.whole('deals', rowsOf({ name: 'a', value: 20 }), 'update')
    const deals = await ok(
      owner.client.from('deals').select('name, value, currency, rate').order('name'),
    )
    expect(deals).toEqual([
      { name: 'a', value: 20, currency: 'EUR', rate: 2 },
      { name: 'b', value: 10, currency: null, rate: null },
      { name: 'c', value: 10, currency: 'EUR', rate: 2 },
    ])
  })

  describe('a backup', () => {
    const restore = async (to: Account, from: Account) => {
      const answer = await sendBackup(to, await backUp(from), { version: 2, account: from.id })
      expect(answer.error).toBeNull()
    }
    const money = async (account: Account) =>
      (
        await ok(account.client.from('deals').select('name, value, currency, rate').order('name'))
      ).map(({ name, currency, rate }) => [name, currency, rate])

    beforeEach(async () => {
      await change({ currency: 'EUR', keep: false })
      await rate('CHF', 1.5)
      await ok(
        owner.client
          .from('preferences')
          .update({ clock: 12, date_format: 'dd.mm.yyyy', number_format: '1.234,56' })
          .eq('user_id', owner.id)
          .select(),
      )
      await deal({ name: 'a', value: 1 })
      await deal({ name: 'b', value: 1, currency: 'CHF' })
      const won = await deal({ name: 'c', value: 1, currency: 'CHF' })
      await close(won.id)
      await rate('CHF', 2)
    })

    test('in a new account gives the same currency, rates, habits and closed rates', async () => {
      const fresh = await database().signUp()
      await restore(fresh, owner)
      expect(await money(fresh)).toEqual(await money(owner))
      expect(await money(fresh)).toEqual([
        ['a', null, null],
        ['b', 'CHF', 2],
        ['c', 'CHF', 1.5],
      ])
      const habits = (account: Account) =>
        ok(
          account.client
            .from('preferences')
            .select('currency, rates, clock, date_format, number_format')
            .single(),
        )
      expect(await habits(fresh)).toEqual(await habits(owner))
    })

    test('in an account with another currency keeps its own', async () => {
      const used = await database().signUp()
      await deal({ name: 'z', value: 1 }, used)
      await rate('EUR', 1.25, used)
      await restore(used, owner)
      expect(await preferences(used)).toMatchObject({ currency: 'USD', rates: { EUR: 1.25 } })
      expect(await money(used)).toEqual([
        ['a', 'EUR', 1.25],
        ['b', 'CHF', null],
        // 1.5 euros when it was won.
        ['c', 'CHF', 1.875],
        ['z', null, null],
      ])
    })
  })
})
