import type { Page, Route } from '@playwright/test'
import { button } from './contact-list.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests } from './fixtures.ts'
import { test } from './journey.ts'
import { brokenAnswer, fail, loseAnswer, settled } from './requests.ts'
import { addRow } from './rows.ts'

const box = (page: Page) => page.getByRole('dialog', { name: 'Quick Actions' })
const field = (page: Page) => box(page).getByRole('combobox', { name: 'Search' })
const options = (page: Page) => box(page).getByRole('option')
const group = (page: Page, name: string) => box(page).getByRole('group', { name, exact: true })
const requests = '**/rest/v1/rpc/search_everything'

const line = 'call Anna Schmidt @Acme tue 3pm !high renewal $5k'

// Some of what is asked for here is answered with an error.
test.use({ expectedErrors: failedRequests })

test('the search finds and creates', async ({ step, longStep, page, enter, scan }) => {
  await step(
    'the search icon and / open it; contacts, companies, deals and tasks together, best first, matches marked, by keyboard alone',
    async () => {
      const user = await enter('/app/dashboard')
      const company_id = await addRow(user, 'companies', { name: 'Wind' })
      await addRow(user, 'contacts', { first_name: 'Windy', last_name: 'Hill', company_id })
      await addRow(user, 'deals', { name: 'A wind park', value: 1200 })
      await addRow(user, 'tasks', { title: 'Rewind the tape' })

      await button(page, 'Search').click()
      await expect(field(page)).toBeFocused()
      // Before the first key: what was last worked on.
      await expect(group(page, 'Recent').getByRole('option')).toHaveText([
        /^Rewind the tape.*Task$/,
        /^A wind park.*\$1,200.*Deal$/,
        /^Windy Hill.*Wind.*Contact$/,
        /^Wind.*Company$/,
      ])
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('wind')
      const records = group(page, 'Records').getByRole('option')
      await expect(records).toHaveText([
        /^Wind.*Company$/,
        /^Windy Hill/,
        /^A wind park/,
        /^Rewind/,
      ])
      await expect(records.nth(1).locator('mark').first()).toHaveText('Wind')
      await test.step('what is found is accessible', () => scan(box(page), { contrast: true }))
      await expect(records.first()).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('ArrowDown')
      await expect(records.nth(1)).toHaveAttribute('aria-selected', 'true')
      // In a tab of its own, and the search stays.
      const opened = page.waitForEvent('popup')
      await page.keyboard.press('Control+Enter')
      await (await opened).close()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Windy Hill', level: 1 })).toBeVisible()
      await expect(box(page)).toHaveCount(0)

      // A letter is missing, and Enter comes before the answer.
      await page.keyboard.press('/')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('rewnd')
      await page.keyboard.press('Enter')
      const task = page.getByRole('dialog', { name: 'Edit Task' })
      await expect(task.getByLabel('Title')).toHaveValue('Rewind the tape')
      await page.keyboard.press('Escape')
      await expect(task).toHaveCount(0)

      await page.keyboard.press('/')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('zzyzx')
      await expect(box(page).getByText('Nothing found for “zzyzx”')).toBeVisible()
      await test.step('is accessible', () => scan(box(page)))
      await page.keyboard.press('Escape')
      await expect(box(page)).toHaveCount(0)
      await button(page, 'Search').focus()
      await page.keyboard.press('Enter')
      await expect(field(page)).toHaveValue('')
      await page.keyboard.press('Escape')
      await expect(button(page, 'Search')).toBeFocused()
    },
  )
  await longStep(
    'quick add: a line shows what it understood and creates it all in one transaction, undoable; what is there is found, not doubled',
    async () => {
      const user = await enter('/app/contacts')
      await addRow(user, 'companies', { name: 'Acme' })
      async function rows() {
        const { data } = await user.client
          .from('tasks')
          .select(
            'title, priority, contact:contacts(last_name), company:companies(name), deal:deals(name, value)',
          )
        return data
      }
      async function write(text: string): Promise<void> {
        await page.keyboard.press('/')
        await expect(field(page)).toBeFocused()
        await field(page).fill(text)
      }
      const plan = group(page, 'Create all').getByRole('option')
      await write(line)
      await expect(plan).toHaveText(
        /^Anna SchmidtNew contactAcmeExisting companyRenewal\$5,000New dealCall Anna Schmidt renewal.*15:00 · HighNew task$/,
      )
      await test.step('a line to create from is accessible', () => scan(box(page)))
      await page.keyboard.press('Enter')
      const toast = page.getByRole('alert').filter({ hasText: 'created successfully' })
      await expect(toast).toContainText('Contact, deal and task created successfully')
      await expect(box(page)).toHaveCount(0)
      await expect(page.getByRole('link', { name: 'Anna Schmidt' })).toBeVisible()
      await expect
        .poll(() => rows())
        .toEqual([
          {
            title: 'Call Anna Schmidt renewal',
            priority: 'high',
            contact: { last_name: 'Schmidt' },
            company: { name: 'Acme' },
            deal: { name: 'Renewal', value: 5000 },
          },
        ])
      await button(page, 'Undo').click()
      await expect(page.getByText('Undone', { exact: true })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Anna Schmidt' })).toHaveCount(0)
      await expect.poll(() => rows()).toEqual([])

      // One letter after the other and Enter, without waiting.
      await page.keyboard.press('/')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type(line)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('link', { name: 'Anna Schmidt' })).toBeVisible()
      await expect(box(page)).toHaveCount(0)
      await write('email Anna about pricing tomorrow')
      await expect(plan).toHaveText(/^Anna SchmidtAcmeExisting contact.*New task$/)
      await page.keyboard.press('Escape')
      // A name that nothing is called can be given to something new, also where others begin so.
      await addRow(user, 'companies', { name: 'Globex Cars' })
      await write('Globex')
      // What is found pushes the rest down.
      await expect(box(page).getByRole('option', { name: /^Globex Cars/ })).toBeVisible()
      await group(page, 'Create').getByRole('option', { name: 'Create company “Globex”' }).click()
      await expect(page.getByText('Company created successfully')).toBeVisible()
      await expect(box(page)).toHaveCount(0)
    },
  )
  await longStep(
    'quick add: a name that may mean two is offered with either, by keyboard and by pointer',
    async () => {
      const user = await enter('/app/dashboard')
      const company_id = await addRow(user, 'companies', { name: 'Globex Cars' })
      await addRow(user, 'companies', { name: 'Globex' })
      await addRow(user, 'contacts', { first_name: 'Anna', last_name: 'Schmidt', company_id })
      await addRow(user, 'contacts', { first_name: 'Anna', last_name: 'Bell' })
      async function write(text: string): Promise<void> {
        await page.keyboard.press('/')
        await expect(field(page)).toBeFocused()
        await field(page).fill(text)
      }
      const lines = group(page, 'Create all').getByRole('option')
      await write('call Anna friday')
      await expect(lines).toHaveText([
        /^Anna BellExisting contactCall Anna.*New task$/,
        /^With Anna Schmidt insteadGlobex CarsExisting contact$/,
      ])
      await page.keyboard.press('ArrowDown')
      await expect(lines.last()).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(box(page)).toHaveCount(0)

      await write('lunch @Globex friday')
      await expect(lines).toHaveText([/^GlobexExisting company/, /^At Globex Cars instead/])
      await lines.last().click()
      await expect(box(page)).toHaveCount(0)
      const { data } = await user.client
        .from('tasks')
        .select('title, contact:contacts(last_name), company:companies(name)')
        .order('created_at')
      expect(data).toEqual([
        { title: 'Call Anna', contact: { last_name: 'Schmidt' }, company: null },
        { title: 'Lunch', contact: null, company: { name: 'Globex Cars' } },
      ])
    },
  )
  await longStep(
    'a line that fails stays, says so, and is created once however often it is sent',
    async () => {
      const user = await enter('/app/contacts')
      const full = { message: 'No space left on device', code: '53100' }
      // One route for all attempts: between two of them a request could slip through.
      let answer = (route: Route) => route.fulfill({ status: 500, json: full })
      await fail(page, '**/rest/v1/rpc/write_once', 'POST', (route) => answer(route))
      await page.keyboard.press('/')
      await expect(field(page)).toBeFocused()
      await field(page).fill(line)
      await expect(options(page).first()).toContainText('New deal')
      await page.keyboard.press('Enter')
      const problem = box(page).getByRole('alert')
      await expect(problem).toContainText('The server’s disk is full. Nothing was saved.')
      await expect(field(page)).toHaveValue(line)
      // Done, but the answer is lost.
      answer = loseAnswer
      await page.keyboard.press('Enter')
      // Where data is kept on the device, it is sent again by itself: e2e/waiting.spec.ts.
      await expect(problem).toContainText('nothing is created twice.')
      answer = (route) => route.continue()
      await button(box(page), 'Try again').click()
      const created = 'Company, contact, deal and task created successfully'
      await expect(page.getByText(created)).toBeVisible()
      await expect(box(page)).toHaveCount(0)
      const { data } = await user.client.from('tasks').select('title')
      expect(data).toHaveLength(1)
    },
  )
  await longStep(
    'a search that fails says why, keeps what was typed, and can be tried again',
    async () => {
      await page.keyboard.press('/')
      await expect(options(page).first()).toBeVisible()
      await expect(field(page)).toBeFocused()
      await fail(page, requests, 'POST', brokenAnswer.answer)
      await field(page).fill('acm')
      await expect(box(page).getByRole('alert')).toContainText(brokenAnswer.message)
      await page.unroute(requests)
      await button(box(page), 'Try again').click()
      await expect(group(page, 'Records').getByRole('option').first()).toContainText('Acme')
      await expect(box(page).getByRole('alert')).toHaveCount(0)
      await expect(field(page)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(box(page)).toHaveCount(0)
    },
  )
  await longStep('commands: go to a screen, create, switch the theme', async () => {
    await settled(page)
    async function run(words: string, name: string): Promise<void> {
      await page.keyboard.press('/')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type(words)
      await expect(options(page).first()).toHaveText(name)
      await page.keyboard.press('Enter')
      await expect(box(page)).toHaveCount(0)
    }
    await run('go to com', 'Go to companies')
    await expect(page).toHaveURL('/app/companies')
    await expect(page.getByRole('main')).toBeFocused()
    await run('dark', 'Switch to dark theme')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await button(page, 'Account menu').focus()
    await run('add comp', 'Add company')
    const form = page.getByRole('dialog', { name: 'Add Company' })
    await expect(form.getByLabel('Company Name *')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(button(page, 'Account menu')).toBeFocused()
  })
  await longStep('one request per pause in typing, and a stale answer is dropped', async () => {
    const user = await enter('/app/companies')
    await addRow(user, 'companies', { name: 'Acme' })
    await addRow(user, 'companies', { name: 'Acorn' })
    const asked: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(requests, async (route) => {
      const { words } = route.request().postDataJSON()
      asked.push(words)
      if (words === 'ac') await held
      // Nobody waits any more for an answer that was dropped.
      await route.fallback().catch(() => {})
    })
    await page.keyboard.press('/')
    await expect(group(page, 'Recent').getByRole('option')).toHaveCount(2)
    await expect(field(page)).toBeFocused()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.keyboard.type('ac')
    await page.clock.runFor(140)
    expect(asked).toEqual([''])
    await page.clock.runFor(10)
    await expect.poll(() => asked).toEqual(['', 'ac'])
    for (const letter of 'me') {
      await page.keyboard.type(letter)
      await page.clock.runFor(140)
    }
    expect(asked).toEqual(['', 'ac'])
    await page.clock.runFor(10)
    await expect.poll(() => asked).toEqual(['', 'ac', 'acme'])
    await page.clock.resume()
    const records = group(page, 'Records').getByRole('option')
    await expect(records).toHaveText([/^Acme/])
    release()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Acme', level: 1 })).toBeVisible()
    expect(asked).toEqual(['', 'ac', 'acme'])
  })
})

test('every line of the search does something', async ({ page, enter }) => {
  test.slow()
  const user = await enter('/app/reports')
  await addRow(user, 'tasks', { title: 'Rewind the tape' })
  const names = await pressEverything(page, {
    address: '/app/reports',
    within: box(page),
    except: 'Sign out',
    async ready() {
      await button(page, 'Search').click()
      await expect(options(page).first()).toContainText('Rewind the tape')
    },
  })
  expect(names).toContain('Keyboard shortcuts')
  expect(names.length).toBeGreaterThan(20)
})

test('the search is accessible and fits, on the phone too', { tag: '@phone' }, async ({
  page,
  enter,
  scan,
}) => {
  const user = await enter('/app/dashboard')
  const last_name = 'von und zu Hohenstein-Oberthal'
  await addRow(user, 'contacts', { first_name: 'Maximiliane-Charlotte', last_name })
  await button(page, 'Search').click()
  await expect(options(page).first()).toContainText('Maximiliane')
  await test.step('before the first key', () => scan(box(page)))
  await field(page).fill('hohen')
  await expect(options(page)).toHaveText([
    /^Maximiliane-Charlotte von und zu Hohenstein-Oberthal/,
    'Create task “Hohen”',
    'Create contact “hohen”',
    'Create company “hohen”',
  ])
  await field(page).fill(line)
  await expect(options(page).first()).toContainText('New deal')
  await expectNoSidewaysScroll(page)
})
