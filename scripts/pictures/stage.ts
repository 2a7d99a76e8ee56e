import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#lib/database.types.ts'
import { launchBrowser, signUpAt, startBuiltServer } from '../built-product.ts'

/** The built product with an account full of sample data, and a browser to look at it. */
export type Stage = {
  browser: Browser
  address: string
  /** A page of the account. */
  open: (options: BrowserContextOptions) => Promise<Page>
  close: () => Promise<void>
}

/** Where it is eight in the morning now: the day's work lies ahead. Such zones count westwards. */
const ahead = ((8 - new Date().getUTCHours() + 36) % 24) - 12
const timezoneId = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`

/** Starts the built app on a database of its own; run `npm run build` before. */
export async function openStage(email = 'alex@example.com'): Promise<Stage> {
  const { address, stop } = await startBuiltServer()
  const session = await makeAccount(address, email)
  const browser = await launchBrowser()
  return {
    browser,
    address,
    async open(options) {
      const context = await browser.newContext({ baseURL: address, timezoneId, ...options })
      await context.addInitScript((value) => {
        localStorage.setItem('sb-127-auth-token', value)
      }, JSON.stringify(session))
      return context.newPage()
    },
    async close() {
      await browser.close()
      await stop()
    },
  }
}

async function makeAccount(address: string, email: string) {
  const { client, session } = await signUpAt(address, email)
  const loaded = await client.rpc('load_sample_data', { time_zone: timezoneId })
  if (loaded.error) throw loaded.error
  await workABit(client)
  return session
}

/** Changes some of the sample data, so that the timelines and reports show recent work. */
async function workABit(client: SupabaseClient<Database>): Promise<void> {
  const { data: stages } = await client.from('pipeline_stages').select('id, name')
  const { data: deals } = await client.from('deals').select('id, name, contact_id')
  const deal = deals?.find(({ name }) => name === 'Solvane turbine service')
  const stage = stages?.find(({ name }) => name === 'Negotiation')
  if (!deal?.contact_id || !stage) throw new Error('The sample data is not as expected.')
  await client
    .from('notes')
    .insert({ kind: 'call', body: 'The board agreed to the price.', contact_id: deal.contact_id })
  await client.rpc('move_deal', { id: deal.id, stage_id: stage.id })
  await client.from('tasks').update({ completed: true }).eq('title', 'Prepare the Solvane offer')
  await client
    .from('contacts')
    .insert({ first_name: 'Ingrid', last_name: 'Aas', role_title: 'Buyer' })
  await client
    .from('companies')
    .insert({ name: 'Nordlys Bakery', industry: 'Food', location: 'Tromsø' })
}
