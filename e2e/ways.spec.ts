import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import type { Database } from '#lib/database.types.ts'
import { startBuiltServerOn } from '../scripts/built-product.ts'
import { startPostgres } from '../supabase/tests/postgres-server.ts'
import { fillDataFolder } from './data-folder.ts'
import { sessionKey } from './fixtures.ts'
import { freePort } from './free-port.ts'
import { publicKey, startHostedProject } from './hosted-project.ts'

// One journey in all three ways to run, each with a server of its own that is killed in the middle: a start and, on
// PostgreSQL, all migrations, so these run by `npm run test:long`.

/** Where the page is, where its data is, and how both are killed and started again. */
type Way = {
  page: string
  data: { url: string; key: string }
  restart(): Promise<void>
  stop(): Promise<void>
}

test('live in every window: our server with its own database', async ({ browser }) => {
  await worksEverywhere(browser, await onEmbedded())
})

test('live in every window: our server on PostgreSQL', async ({ browser }) => {
  const way = await onPostgres()
  test.skip(!way, 'PostgreSQL is not installed')
  if (way) await worksEverywhere(browser, way)
})

test('live in every window: a hosted project', async ({ browser }) => {
  const way = await onHosted()
  test.skip(!way, 'PostgreSQL is not installed')
  if (way) await worksEverywhere(browser, way)
})

async function worksEverywhere(browser: Browser, way: Way): Promise<void> {
  try {
    const ada = await signUp(way)
    const eve = await signUp(way)
    const [one, other] = [await openAs(browser, way, ada), await openAs(browser, way, ada)]
    const stranger = await openAs(browser, way, eve)

    await test.step('a company added by hand in one browser is in the other', async () => {
      await addByHand(one.page, 'Acme')
      await expect(card(other.page, 'Acme')).toBeVisible()
    })
    await test.step('an undo takes it away in both', async () => {
      const { data } = await ada.client.from('changes').select('batch').limit(1).single()
      await ada.client.rpc('undo_batch', { batch: data?.batch ?? '' }).throwOnError()
      for (const { page } of [one, other]) await expect(card(page, 'Acme')).toBeHidden()
    })
    await test.step('another account’s channel is refused', async () => {
      expect(await joined(eve, ada.session.user.id)).toBe('CHANNEL_ERROR')
      expect(await joined(eve, eve.session.user.id)).toBe('SUBSCRIBED')
    })
    await test.step('killed while both work and started again: both catch up, and nothing is lost', async () => {
      for (const { page } of [one, other]) await fetchContactForm(page)
      const restarted = way.restart()
      await Promise.all([addContact(one.page, 'By one'), addContact(other.page, 'By the other')])
      await restarted
      await ada.client.from('contacts').insert({ first_name: 'After' }).throwOnError()
      for (const { page } of [one, other]) {
        for (const name of ['After', 'By one', 'By the other']) {
          await expect(page.getByRole('row', { name })).toBeVisible({ timeout: 90_000 })
        }
      }
      const { data } = await ada.client.from('contacts').select('first_name').order('first_name')
      expect(data?.map(({ first_name }) => first_name)).toEqual(['After', 'By one', 'By the other'])
      await ada.client.from('contacts').delete().neq('first_name', '').throwOnError()
    })
    await test.step('written without a network, sent once when it is back', async () => {
      const { page } = other
      await fetchContactForm(page)
      await page.context().setOffline(true)
      const names = Array.from({ length: 10 }, (_, n) => `Person ${n}`)
      for (const name of names) await addContact(page, name)
      const line = page.getByRole('button', { name: '10 changes are waiting to be sent' })
      await expect(line).toBeVisible()
      await page.context().setOffline(false)
      await expect(line).toBeHidden({ timeout: 90_000 })
      const read = () => ada.client.from('contacts').select('first_name').order('first_name')
      await expect
        .poll(async () => (await read()).data?.map(({ first_name }) => first_name))
        .toEqual(names)
    })
    await test.step('another account has seen nothing of it', async () => {
      await expect(stranger.page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(stranger.page.locator('article')).toHaveCount(0)
    })
    for (const { errors } of [one, other, stranger]) expect(errors).toEqual([])
  } finally {
    for (const context of browser.contexts()) await context.close()
    await way.stop()
  }
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

async function addByHand(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Company' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  await dialog.getByLabel('Company Name *').fill(name)
  await dialog.getByRole('button', { name: 'Add Company' }).click()
  await expect(card(page, name)).toBeVisible()
}

const contactForm = (page: Page) => page.getByRole('dialog', { name: 'Add Contact' })

/** Its code is there before the server is gone. */
async function fetchContactForm(page: Page): Promise<void> {
  await page.goto('/app/contacts')
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  await expect(contactForm(page).getByLabel('First Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(contactForm(page)).toBeHidden()
}

/** Closed once the contact is stored, or kept on the device. */
async function addContact(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const dialog = contactForm(page)
  await dialog.getByLabel('First Name').fill(name)
  await dialog.getByRole('button', { name: 'Add Contact' }).click()
  await expect(dialog).toBeHidden()
}

function clientOf({ data }: Way) {
  return createClient<Database>(data.url, data.key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // The types of `ws` and of the client differ in their event handlers only.
    realtime: { transport: WebSocket as never },
  })
}

async function signUp(way: Way) {
  const client = clientOf(way)
  const { data, error } = await client.auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: 'a good password',
  })
  if (error) throw error
  if (!data.session) throw new Error('The sign-up gave no session.')
  return { client, session: data.session }
}

type Account = Awaited<ReturnType<typeof signUp>>

async function openAs(browser: Browser, way: Way, { session }: Account) {
  const context = await browser.newContext({ baseURL: way.page })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (/content security policy|cors/i.test(message.text())) errors.push(message.text())
  })
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    sessionKey,
    JSON.stringify(session),
  ] as const)
  const live = page.waitForEvent('websocket')
  await page.goto('/app/companies')
  await live
  return { page, errors }
}

/** What the channel of an account answers to another. */
async function joined({ client }: Account, account: string): Promise<string> {
  await client.realtime.setAuth()
  const channel = client.channel(`account:${account}`, { config: { private: true } })
  const answer = await new Promise<string>((resolve) => channel.subscribe(resolve))
  await client.removeChannel(channel)
  return answer
}

async function onEmbedded(): Promise<Way> {
  const folder = fillDataFolder(mkdtempSync(join(tmpdir(), 'solo-ways-')))
  return onOurServer(folder, {}, async () => {})
}

async function onPostgres(): Promise<Way | null> {
  const database = await startPostgres()
  if (!database) return null
  const folder = mkdtempSync(join(tmpdir(), 'solo-ways-'))
  return onOurServer(folder, { DATABASE_URL: database.url }, () => database.stop())
}

async function onOurServer(
  folder: string,
  database: Record<string, string>,
  stopDatabase: () => Promise<void>,
): Promise<Way> {
  const settings = { ...database, PORT: String(await freePort()), RATE_LIMIT_SIGN_UP: '1000' }
  let server = await startBuiltServerOn(folder, settings)
  return {
    page: server.address,
    data: { url: server.address, key: await publicKey(server.address) },
    async restart() {
      process.kill(server.pid, 'SIGKILL')
      server = await startBuiltServerOn(folder, settings)
    },
    async stop() {
      await server.stop()
      await stopDatabase()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function onHosted(): Promise<Way | null> {
  const project = await startHostedProject()
  if (!project) return null
  const folder = mkdtempSync(join(tmpdir(), 'solo-ways-'))
  // Only the page: it speaks to the project itself.
  const server = await startBuiltServerOn(folder, {
    SUPABASE_URL: project.url,
    SUPABASE_ANON_KEY: project.key,
  })
  return {
    page: server.address,
    data: project,
    restart: () => project.restart(),
    async stop() {
      await server.stop()
      await project.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
