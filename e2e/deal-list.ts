import type { Locator, Page } from '@playwright/test'
import type { Database } from '#lib/database.types.ts'
import { expect, type User } from './fixtures.ts'
import { test as base } from './journey.ts'

export type NewDeal = Database['public']['Tables']['deals']['Insert']

export const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })

/** The ids of a pipeline's stages under their names; of the only one, unless told otherwise. */
export async function stagesOf(user: User, pipeline?: string): Promise<Record<string, string>> {
  const query = user.client.from('pipeline_stages').select('id, name')
  const { data } = await (pipeline ? query.eq('pipeline_id', pipeline) : query)
  return Object.fromEntries((data ?? []).map(({ id, name }) => [name, id]))
}

export async function addDeals(user: User, ...deals: NewDeal[]): Promise<string[]> {
  const ids: string[] = []
  // One after the other, so that the order of creation is known.
  for (const deal of deals) {
    const { data, error } = await user.client.from('deals').insert(deal).select('id').single()
    expect(error).toBeNull()
    ids.push(data?.id ?? '')
  }
  return ids
}

/** Deals by name, each with what its stage is called. */
export async function storedDeals(user: User) {
  const { data } = await user.client.from('deals').select('*').order('name')
  const stages = await user.client.from('pipeline_stages').select('id, name')
  const names = new Map(stages.data?.map(({ id, name }) => [id, name]))
  return (data ?? []).map((deal) => ({ ...deal, stage: names.get(deal.stage_id ?? '') ?? null }))
}

/** Opens the screen as a new account with deals there already; what needs stages is made from them. */
export const test = base.extend<{
  open: (
    deals?:
      | NewDeal[]
      | ((stages: Record<string, string>, user: User) => Promise<NewDeal[]> | NewDeal[]),
    query?: string,
  ) => Promise<User>
}>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (deals = [], query = '') => {
      const user = await signUp()
      const made = typeof deals === 'function' ? await deals(await stagesOf(user), user) : deals
      await addDeals(user, ...made)
      await begin(user, `/app/deals${query}`)
      await expect(page.getByText(`${made.length} count`, { exact: true })).toBeVisible()
      return user
    })
  },
})
