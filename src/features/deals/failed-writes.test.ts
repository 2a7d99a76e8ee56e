import { test } from 'vitest'
import { expectFailedWrite } from '#lib/expect-failed-write.tsx'
import { useMoveDeal } from './board/queries.ts'
import { useCloseDeals } from './closing/queries.ts'
import {
  type Deal,
  type DealNames,
  useCreateDeal,
  useDeleteDeal,
  useDeleteDeals,
  useUpdateDeal,
  useUpdateDeals,
} from './queries.ts'
import { useRemoveDealContact, useSetDealContact } from './record/queries.ts'

const values = {
  name: 'Order',
  value: 5,
  currency: null,
  expected_close_date: null,
  pipeline_id: null,
  stage_id: null,
  company_id: null,
  contact_id: null,
  tags: [],
}
// What the writes look at; the rest of a deal is nothing to them.
const names = { stage_name: null } as DealNames
const deal = { id: 'd', stage_id: null, updated_at: '2026-11-15T00:00:00Z' } as Deal

test('create deal', () =>
  expectFailedWrite('Failed to create deal', () => {
    const create = useCreateDeal()
    return () => create({ id: 'n', values, names })
  }))

test('create deal with everyone on it', () =>
  expectFailedWrite('Failed to create deal', () => {
    const create = useCreateDeal()
    const people = [{ contact_id: 'c', role: 'Pays' }]
    return () => create({ id: 'n', values, names, people })
  }))

test('update deal', () =>
  expectFailedWrite('Failed to update deal', () => {
    const update = useUpdateDeal()
    return () => update({ seen: deal, values: { value: 6 }, names: {} })
  }))

test('move deal', () =>
  expectFailedWrite('Failed to update deal', () => {
    const move = useMoveDeal()
    const column = { stage_id: 's', stage_name: 'Lead', outcome: 'open' } as const
    return () => move({ deal, column, above: null, below: null })
  }))

test('a contact put on a deal, or taken off it', async () => {
  const person = { id: 'c', name: { first_name: 'Ada', last_name: null, email: null }, role: null }
  await expectFailedWrite('Failed to update deal', () => {
    const set = useSetDealContact()
    return () => set({ deal, person, isMain: true }, 'Ada is the main contact')
  })
  await expectFailedWrite('Failed to update deal', () => {
    const remove = useRemoveDealContact()
    return () => remove(deal, 'c', 'Ada removed from the deal')
  })
})

test('delete deal', () =>
  expectFailedWrite('Failed to delete deal', () => {
    const remove = useDeleteDeal()
    return () => remove(deal)
  }))

const chosen = { filter: { ids: ['d'] }, count: 1, matches: ({ id }: Deal) => id === 'd' }

test('update deals', () =>
  expectFailedWrite('Failed to update deals', () => {
    const update = useUpdateDeals()
    return () => update({ ...chosen, changes: { stage_id: null }, shown: { stage_id: null } })
  }))

test('delete deals', () =>
  expectFailedWrite('Failed to delete deals', () => {
    const remove = useDeleteDeals()
    return () => remove(chosen)
  }))

test.each(['won', 'lost'] as const)('mark a deal as %s', (outcome) =>
  expectFailedWrite('Failed to update deal', () => {
    const close = useCloseDeals(outcome)
    return () => close(chosen)
  }),
)
