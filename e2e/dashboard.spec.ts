import type { Page } from '@playwright/test'
import { percentChange } from '#domain/percent-change.ts'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { addDeals, stagesOf } from './deal-list.ts'
import { button, card, main, onScreen, region } from './figures.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { fail, failures, settled } from './requests.ts'
import { addRow } from './rows.ts'

const path = '/app/dashboard'
const test = onScreen(path, 'Total Contacts')
const activity = (page: Page) => region(page, 'Recent Activity').getByRole('listitem')
const hour = 3_600_000
const moment = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

async function loadSamples(user: User): Promise<void> {
  const { error } = await user.client.rpc('load_sample_data', { time_zone: 'UTC' })
  expect(error).toBeNull()
}

test('the dashboard', async ({ step, longStep, page, open, scan }) => {
  const user = await open()
  await step(
    "Header 'Welcome back, {part of the email before @}', Add Contact and Add Company buttons",
    async () => {
      const { email } = user
      await expect(
        page.getByRole('heading', { name: `Welcome back, ${email.split('@')[0]}`, level: 1 }),
      ).toBeVisible()
      await expect(page).toHaveTitle('Dashboard · Solo CRM')
      for (const name of ['Add Contact', 'Add Company']) {
        await button(main(page), name).first().click()
        await expect(page.getByRole('dialog', { name, exact: true })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
    },
  )
  await step('Quick Actions: Add New Contact, Create Deal, Add Company, Create Task', async () => {
    const actions = region(page, 'Quick Actions').getByRole('button')
    await expect(actions).toHaveText([
      'Add New Contact',
      'Create Deal',
      'Add Company',
      'Create Task',
    ])
    const forms = ['Add Contact', 'Create Deal', 'Add Company', 'Create New Task']
    for (const [index, name] of forms.entries()) {
      await actions.nth(index).click()
      await expect(page.getByRole('dialog', { name, exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
  await step(
    'a new, empty account sees what to do first and loads sample data; one click removes it again, edited or not',
    async () => {
      const start = region(page, 'Get started')
      await expect(start.getByRole('link', { name: 'Import contacts' })).toHaveAttribute(
        'href',
        '/app/settings/import',
      )
      await expect(button(start, 'Add a company')).toBeVisible()
      await expect(button(start, 'Create a deal')).toBeVisible()
      await settled(page)
      await test.step('what to do first is accessible', () => scan(start))
      await button(start, 'Load sample data').click()
      await expect(page.getByRole('alert').filter({ hasText: 'Sample data loaded' })).toBeVisible()
      await expect(card(page, 'Total Contacts')).toContainText('40')
      await expect(activity(page).first()).toContainText('Loaded sample data')
      await user.client.from('contacts').update({ notes: 'Mine now' }).eq('first_name', 'Greta')
      const own = await addRow(user, 'contacts', { first_name: 'Own' })
      await button(main(page), 'Remove sample data').click()
      const question = page.getByRole('dialog', { name: 'Remove the sample data?' })
      await button(question, 'Remove sample data').click()
      await expect(page.getByRole('alert').filter({ hasText: 'Sample data removed' })).toBeVisible()
      await expect(card(page, 'Total Contacts')).toHaveText('Total Contacts1New')
      await expect(page.getByText('You’re viewing sample data.')).toHaveCount(0)
      const { data } = await user.client.from('contacts').select('id')
      expect(data).toEqual([{ id: own }])
      // The way back is in the toast.
      await button(
        page.getByRole('alert').filter({ hasText: 'Sample data removed' }),
        'Undo',
      ).click()
      await expect(card(page, 'Total Contacts')).toContainText('41')
    },
  )
  await longStep('Percent changes: last 30 days against the 30 days before, computed', async () => {
    const user = await open(loadSamples)
    const of = async (table: 'contacts' | 'companies' | 'deals') => {
      const { data } = await user.client.from(table).select('*')
      const rows = (data ?? []) as { created_at: string; value?: number }[]
      const within = (from: number, to: number) =>
        rows.filter(({ created_at }) => {
          const age = (Date.now() - Date.parse(created_at)) / (24 * hour)
          return age < from && age >= to
        })
      return { recent: within(30, -1), before: within(60, 30) }
    }
    for (const [name, table] of [
      ['Total Contacts', 'contacts'],
      ['Active Deals', 'deals'],
      ['Companies', 'companies'],
    ] as const) {
      const { recent, before } = await of(table)
      const { words } = percentChange(recent.length, before.length)
      expect(words).toMatch(/^[+-]\d+%$/)
      await expect(card(page, name)).toContainText(words)
    }
    const { recent, before } = await of('deals')
    const sum = (deals: { value?: number }[]) =>
      deals.reduce((total, { value = 0 }) => total + value, 0)
    await expect(card(page, 'Revenue')).toContainText(percentChange(sum(recent), sum(before)).words)
  })
  await step(
    'Four stat cards: Total Contacts (count), Active Deals (count of all deals), Companies (count), Revenue (sum of deal values in USD)',
    async () => {
      await open(async (user) => {
        const stages = await stagesOf(user)
        await addRow(user, 'contacts', { first_name: 'Ada' })
        await addRow(user, 'contacts', { first_name: 'Grace' })
        await addRow(user, 'companies', { name: 'Acme' })
        await addDeals(
          user,
          { name: 'Open', value: 1000.25, stage_id: stages.Lead ?? null },
          { name: 'Won', value: 500.5, stage_id: stages['Closed Won'] ?? null },
          { name: 'Without a stage', value: 100 },
        )
      })
      // Nothing is older than 30 days, so there is nothing to compare with.
      await expect(card(page, 'Total Contacts')).toHaveText('Total Contacts2New')
      await expect(card(page, 'Active Deals')).toHaveText('Active Deals3New2 open')
      await expect(card(page, 'Companies')).toHaveText('Companies1New')
      await expect(card(page, 'Revenue')).toHaveText('Revenue$1,601New$501 won')
      // What is added shows at once.
      await button(region(page, 'Quick Actions'), 'Add Company').click()
      await page.getByRole('dialog').getByLabel('Company Name *').fill('Globex')
      await page.getByRole('dialog').getByRole('button', { name: 'Add Company' }).click()
      await expect(card(page, 'Companies')).toHaveText('Companies2New')
    },
  )
  await step(
    'today’s tasks: overdue from earlier days said apart, completed with one click',
    async () => {
      const noon = `${new Date().toISOString().slice(0, 10)}T12:00:00Z`
      const user = await open(async (account) => {
        await addRow(account, 'tasks', { title: 'Due today', due_date: noon })
        await addRow(account, 'tasks', { title: 'Long ago', due_date: moment(-72) })
        await addRow(account, 'tasks', { title: 'Next week', due_date: moment(7 * 24) })
      })
      const today = region(page, 'Today’s tasks')
      await expect(today).toContainText('Overdue1')
      await expect(today.getByRole('checkbox')).toHaveCount(2)
      await expect(today).not.toContainText('Next week')
      await today.getByRole('checkbox', { name: 'Complete Due today' }).click()
      await expectToast(page, 'Task Completed!', 'Great job! Keep up the momentum!')
      await expect(today.getByText('Nothing due today')).toBeVisible()
      const { data } = await user.client.from('tasks').select('title').eq('completed', true)
      expect(data).toEqual([{ title: 'Due today' }])
      await expect(activity(page).first()).toContainText('Completed Due today')
    },
  )
  await longStep(
    'open deals without a next task, each with one-click "add next step"',
    async () => {
      const user = await open(async (account) => {
        const stages = await stagesOf(account)
        const [planned] = await addDeals(
          account,
          { name: 'Planned', value: 9000 },
          { name: 'Small', value: 10, stage_id: stages.Lead ?? null },
          { name: 'Large', value: 5000 },
          { name: 'Won', value: 7000, stage_id: stages['Closed Won'] ?? null },
        )
        await addRow(account, 'tasks', { title: 'Call', deal_id: planned ?? '' })
      })
      const lines = region(page, 'Deals that need attention').getByRole('listitem')
      await expect(lines).toHaveCount(2)
      await expect(lines.first()).toContainText('Large$5,000 · No next step')
      await expect(lines.last()).toContainText('Small$10 · No next step')
      await settled(page)
      await test.step('the accessibility scan finds nothing', () => scan())
      await button(lines.first(), 'Add next step for Large').click()
      const dialog = page.getByRole('dialog', { name: 'Create New Task' })
      await dialog.getByLabel('Title', { exact: true }).fill('Send the offer')
      await button(dialog, 'Create New Task').click()
      await expect(lines).toHaveCount(1)
      const { data } = await user.client
        .from('tasks')
        .select('deal:deal_id(name)')
        .eq('title', 'Send the offer')
      expect(data).toEqual([{ deal: { name: 'Large' } }])
    },
  )
  await longStep(
    'Recent Activity: the account’s real activity: created, updated, stage moved, completed, e-mailed, loading on as one scrolls',
    async () => {
      let deal = ''
      await open(async (user) => {
        for (let n = 0; n < 32; n++) await addRow(user, 'companies', { name: `Early ${n}` })
        const stages = await stagesOf(user)
        const ada = await addRow(user, 'contacts', {
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: 'ada@example.com',
        })
        await user.client.from('contacts').update({ lead_status: 'Qualified' }).eq('id', ada)
        const [made] = await addDeals(user, { name: 'Acme renewal', stage_id: stages.Lead ?? null })
        deal = made ?? ''
        await user.client.rpc('move_deal', { id: deal, stage_id: stages.Negotiation ?? '' })
        const task = await addRow(user, 'tasks', { title: 'Call Ada' })
        await user.client.from('tasks').update({ completed: true }).eq('id', task)
        await user.client.rpc('log_emails', { filter: { ids: [ada] }, subject: 'Our offer' })
      })
      const latest = activity(page)
      await expect(latest.first()).toContainText('Opened an email draft to Ada Lovelace')
      await expect(latest.first()).toContainText('just now')
      for (const [index, words] of [
        'Completed Call Ada',
        'Added task Call Ada',
        'Moved Acme renewal to Negotiation',
        'Added deal Acme renewal',
        'Lead status changed from New to Qualified',
        'Added contact Ada Lovelace',
        'Added company Early 31',
      ].entries()) {
        await expect(latest.nth(index + 1)).toContainText(words)
      }
      await latest.last().scrollIntoViewIfNeeded()
      await expect(latest).toHaveCount(7 + 32)
      await expect(latest.last()).toContainText('Early 0')
      await latest.filter({ hasText: 'Moved' }).getByRole('link', { name: 'Acme renewal' }).click()
      await expect(page).toHaveURL(`/app/deals/${deal}`)
    },
  )
})

test.describe('failures', () => {
  test.use({ expectedErrors: failedRequests })
  const [failure] = failures
  test('what fails', { tag: '@long' }, async ({ step, page, signUp, begin, open }) => {
    await step('are shown at their place, with a way to try again', async () => {
      await fail(
        page,
        '**/rest/v1/rpc/dashboard',
        'POST',
        failure?.answer ?? (() => Promise.reject()),
      )
      await begin(await signUp(), path)
      await expectToast(page, 'Error', `Failed to fetch dashboard: ${failure?.message}`)
      await expect(page.getByText('The dashboard could not be loaded')).toBeVisible()
      await expect(button(region(page, 'Quick Actions'), 'Create Deal')).toBeVisible()
      await page.unroute('**/rest/v1/rpc/dashboard')
      await button(page, 'Try again').click()
      await expect(card(page, 'Total Contacts')).toContainText('0')
    })
    await step(
      "failure toast 'Error' / 'Failed to sign out. Please try again.', success toast 'Signed out' / 'You have been successfully signed out.'",
      async () => {
        await open()
        await fail(page, '**/auth/v1/logout*', 'POST', (route) =>
          route.fulfill({ status: 500, json: { code: 500, msg: 'boom' } }),
        )
        await button(main(page), 'Sign Out').click()
        await expectToast(page, 'Error', 'Failed to sign out. Please try again.')
        await page.unroute('**/auth/v1/logout*')
        await button(main(page), 'Sign Out').click()
        await expectToast(page, 'Signed out', 'You have been successfully signed out.')
        await expect(page).toHaveURL('/auth')
      },
    )
  })
})

const longDeal = 'A deal with a name of sixty letters, which is rather long'

test('the accessibility scan finds nothing, and nothing sticks out at 360 px', {
  tag: '@phone',
}, async ({ page, open, scan }) => {
  await open(async (account) => {
    await addRow(account, 'tasks', { title: 'Call', due_date: moment(-48) })
    await addDeals(account, { name: longDeal, value: 999_999_999_999 })
  })
  await settled(page)
  await scan()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
})

test('every control of the dashboard does something', async ({ page, open }) => {
  await open((account) => addDeals(account, { name: longDeal, value: 1 }))
  const names = await pressEverything(page, {
    address: path,
    ready: () => expect(region(page, 'Today’s tasks')).toBeVisible(),
    except: 'Sign Out',
  })
  expect(names).toContain(`Add next step for ${longDeal}`)
})
