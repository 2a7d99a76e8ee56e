import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { longDate } from '#domain/report.ts'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { addDeals, stagesOf } from './deal-list.ts'
import { button, card, main, onScreen, region } from './figures.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { visit } from './journey.ts'
import { brokenAnswer, fail, hold, settled } from './requests.ts'
import { addRow, inOrder } from './rows.ts'

const path = '/app/reports'
const test = onScreen(path, 'Contacts Added')
const date = (page: Page) => main(page).getByLabel('Report Date', { exact: true })
const numbers = (page: Page, chart: string) => region(page, chart).getByRole('row')
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Five deals: two won, one lost, one open, one without a stage. */
async function sell(user: User): Promise<string[]> {
  await user.client.rpc('create_pipeline', { name: 'Partners' })
  const { data } = await user.client.from('pipelines').select('id').eq('name', 'Sales Pipeline')
  const stages = await stagesOf(user, data?.[0]?.id ?? '')
  const acme = await addRow(user, 'companies', { name: 'Acme' })
  const ada = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Lovelace' })
  const ids = await addDeals(
    user,
    { name: 'Won first', value: 1000, stage_id: stages['Closed Won'] ?? null },
    { name: 'Won second', value: 250.5, stage_id: stages['Closed Won'] ?? null },
    {
      name: 'Proposal',
      value: 4000,
      stage_id: stages.Proposal ?? null,
      expected_close_date: day(40),
      company_id: acme,
      contact_id: ada,
    },
    { name: 'Lost', value: 700, stage_id: stages.Lead ?? null },
    { name: '=No stage, yet', value: 60, expected_close_date: day(3) },
  )
  await user.client.rpc('close_deals', {
    filter: { ids: [ids[3] ?? ''] },
    outcome: 'lost',
    reason: 'Too expensive',
  })
  return ids
}

test('the report', async ({ step, longStep, page, open, scan }) => {
  await step(
    "Title 'Reports & Analytics', a Report Date picker (default today) and the text 'Showing data for {long date}'",
    async () => {
      await open()
      await expect(
        page.getByRole('heading', { name: 'Reports & Analytics', level: 1 }),
      ).toBeVisible()
      await expect(page).toHaveTitle('Reports · Solo CRM')
      await expect(date(page)).toHaveValue(day(0))
      await expect(
        page.getByText(`Showing data for ${longDate(day(0))}`, { exact: true }),
      ).toBeVisible()
      await date(page).fill('2026-03-29')
      await expect(page.getByText('Showing data for March 29, 2026', { exact: true })).toBeVisible()
      await expect(page).toHaveURL(`${path}?day=2026-03-29`)
      await page.goBack()
      await expect(date(page)).toHaveValue(day(0))
    },
  )
  await longStep(
    'Cards: Contacts Added, Companies Added, Deals Created (each on the chosen day)',
    async () => {
      const user = await open(async (account) => {
        const { error } = await account.client.rpc('load_sample_data', { time_zone: 'UTC' })
        expect(error).toBeNull()
        await addRow(account, 'contacts', { first_name: 'Today' })
      })
      for (const chosen of [day(0), day(-10)]) {
        await date(page).fill(chosen)
        for (const [name, table] of [
          ['Contacts Added', 'contacts'],
          ['Companies Added', 'companies'],
          ['Deals Created', 'deals'],
        ] as const) {
          const { data } = await user.client
            .from(table)
            .select('id')
            .gte('created_at', `${chosen}T00:00:00Z`)
            .lte('created_at', `${chosen}T23:59:59.999999Z`)
          await expect(card(page, name)).toHaveText(`${name}${data?.length}On ${longDate(chosen)}`)
        }
      }
    },
  )
  await longStep(
    "Lists: Upcoming Deal Closes (empty text 'No upcoming deal closes') and All Deals (first 20, with 'Showing 20 of N deals'; empty text 'No deals found')",
    async () => {
      await open()
      await expect(region(page, 'Upcoming Deal Closes')).toContainText('No upcoming deal closes')
      await expect(region(page, 'All Deals')).toContainText('No deals found')
      const deals = (count: number, from: number) =>
        Array.from({ length: count }, (_, n) => ({
          name: `Deal ${from + n}`,
          value: 100,
          expected_close_date: n < 12 ? day(n) : day(-1),
        }))
      const insert = async (account: User, ...rows: { name: string; value: number }[]) => {
        const made = await account.client
          .from('deals')
          .insert(inOrder(rows), { defaultToNull: false })
        expect(made.error).toBeNull()
      }
      await open((account) => insert(account, ...deals(20, 1), { name: 'The newest', value: 1 }))
      const upcoming = region(page, 'Upcoming Deal Closes').getByRole('listitem')
      const all = region(page, 'All Deals').getByRole('listitem')
      // At most ten, the nearest first, and the card counts them all.
      await expect(upcoming).toHaveCount(10)
      await expect(upcoming.first()).toContainText('Deal 1')
      await expect(upcoming.last()).toContainText('Deal 10')
      await expect(card(page, 'Upcoming Closes')).toContainText('12')
      await expect(all).toHaveCount(20)
      await expect(all.first()).toContainText('The newest')
      await expect(region(page, 'All Deals')).toContainText('Showing 20 of 21 deals')
      await all.first().getByRole('link').click()
      await expect(page.getByRole('heading', { name: 'The newest', level: 1 })).toBeVisible()
    },
  )
  await step(
    "Revenue Closed (total of deals in stage Closed Won); Total Pipeline Value ('Across N deals'); Active Deals ('In progress'); Upcoming Closes ('Expected soon')",
    async () => {
      await open(async (user) => {
        await sell(user)
        const task = await addRow(user, 'tasks', { title: 'Call' })
        await user.client.from('tasks').update({ completed: true }).eq('id', task)
      })
      await expect(card(page, 'Revenue Closed')).toHaveText('Revenue Closed$1,2512 deals won')
      await expect(card(page, 'Total Pipeline Value')).toHaveText(
        'Total Pipeline Value$6,011Across 5 deals',
      )
      await expect(card(page, 'Active Deals')).toHaveText('Active Deals2In progress')
      await expect(card(page, 'Upcoming Closes')).toHaveText('Upcoming Closes2Expected soon')
      await expect(region(page, 'All Deals')).not.toContainText('Showing')
    },
  )
  await step(
    'Charts: pipeline by stage, won and lost per month, forecast by month, conversion, win rate and days to close, lost reasons, activities per week; each with its numbers as a table',
    async () => {
      const table = async (chart: string) =>
        (await numbers(page, chart).allInnerTexts()).map((line) => line.replaceAll('\t', ' | '))
      await expect(numbers(page, 'Activities per week')).toHaveCount(13)
      for (const [chart, lines] of Object.entries({
        'Pipeline by stage': [
          'No Stage | 1 | $60 | $0',
          'Proposal | 1 | $4,000 | $2,000',
          'Closed Won | 2 | $1,251 | $1,251',
          'Closed Lost | 1 | $700 | $0',
        ],
        'Conversion from stage to stage': [
          'Lead | 4 | –',
          'Proposal | 3 | 100%',
          'Closed Won | 2 | 100%',
        ],
        'Win rate and days to close': [
          'Win rate | 67%',
          'Won | 2',
          'Lost | 1',
          'Days to close, average | 0 days',
        ],
        'Lost reasons': ['Too expensive | 1 | $700'],
      })) {
        await expect.poll(() => table(chart)).toEqual(expect.arrayContaining(lines))
      }
      expect((await table('Won and lost per month')).at(-1)).toMatch(
        / \| 2 \| \$1,251 \| 1 \| \$700$/,
      )
      const forecast = await table('Forecast by month')
      expect(forecast.join()).toContain(' | 1 | $4,000 | $2,000')
      expect((await table('Activities per week')).at(-1)).toMatch(/ \| 0 \| 0 \| 0 \| 0 \| 1$/)
      // The numbers are always there for a screen reader; the eye asks for them.
      const lead = region(page, 'Lost reasons').getByRole('rowheader', { name: 'Too expensive' })
      await expect(lead).not.toBeInViewport({ ratio: 1 })
      await button(page, 'Show numbers of Lost reasons').click()
      await lead.scrollIntoViewIfNeeded()
      await expect(lead).toBeInViewport({ ratio: 1 })
      await expect(
        region(page, 'Won and lost per month').locator('svg.recharts-surface').first(),
      ).toBeVisible()
      await test.step('the accessibility scan finds nothing', () => scan())
    },
  )
  await longStep('Filter: by pipeline, stage and period, kept in the address', async () => {
    await expect(card(page, 'Total Pipeline Value')).toContainText('$6,011')
    await button(page, 'Filter').click()
    const choose = async (label: string, option: string) => {
      await page.getByRole('combobox', { name: label, exact: true }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('Pipeline', 'Partners')
    await expect(card(page, 'Total Pipeline Value')).toContainText('$0Across 0 deals')
    await choose('Pipeline', 'Sales Pipeline')
    await choose('Stage', 'Proposal')
    await expect(card(page, 'Total Pipeline Value')).toContainText('$4,000Across 1 deals')
    await expect(card(page, 'Revenue Closed')).toContainText('$0')
    // The list of stages closes; the filter stays.
    await page.getByLabel('Period from', { exact: true }).focus()
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await test.step('the filter is accessible', () =>
      scan(page.getByRole('dialog', { name: /^Filter/ })))
    await expect(page).toHaveURL(/[?&]pipeline=.*&stage=/)
    await page.keyboard.press('Escape')
    await button(page, 'Remove filter Stage Proposal').click()
    await button(page, 'Filter (1)').click()
    await page.getByLabel('Period from', { exact: true }).fill(day(1))
    await expect(card(page, 'Revenue Closed')).toContainText('$0')
    // Each figure by its own date: two deals are expected to close later, none was created then.
    await expect(card(page, 'Upcoming Closes')).toContainText('2')
    await expect(card(page, 'Active Deals')).toContainText('0')
    await button(page, 'Clear filters').click()
    await expect(card(page, 'Revenue Closed')).toContainText('$1,251')
    await expect(page).toHaveURL(path)
  })
  await longStep('Export: the report as CSV and as a printable page', async () => {
    await expect(card(page, 'Revenue Closed')).toContainText('$1,251')
    const coming = page.waitForEvent('download')
    await button(page, 'Export').click()
    await page.getByRole('menuitem', { name: 'CSV file' }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe(`report-${day(0)}.csv`)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.startsWith('\uFEFFReports & Analytics\r\n')).toBe(true)
    for (const line of [
      `Report Date,${day(0)}`,
      'Contacts Added,1',
      'Companies Added,1',
      'Deals Created,5',
      'Revenue Closed,1250.50',
      'Total Pipeline Value,6010.50',
      'Active Deals,2',
      'Upcoming Closes,2',
      'Proposal,1,4000.00,2000.00',
      'Closed Won,2,100',
      'Too expensive,1,700.00',
      'Upcoming Deal Closes',
      `"'=No stage, yet",No Stage,60.00,USD,${day(3)},,,`,
      `Proposal,Proposal,4000.00,USD,${day(40)},Acme,Ada Lovelace,`,
      'All Deals',
    ]) {
      expect(text.split('\r\n')).toContain(line)
    }
    await expectToast(page, 'Export Complete', 'Successfully exported the report')

    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await button(page, 'Export').click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await expect(page.locator('body')).toHaveAttribute('data-printed', '')
    const scheme = (name: string) =>
      expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', name)
    await page.emulateMedia({ colorScheme: 'dark' })
    await scheme('dark')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(button(page, 'Filter')).toBeHidden()
    await expect(card(page, 'Revenue Closed')).toBeVisible()
    // The numbers of each chart are on the paper, and dark on white.
    await expect(region(page, 'Lost reasons').getByRole('cell', { name: '$700' })).toBeVisible()
    await scheme('light')
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await scheme('dark')
  })
})

test.describe('failures', () => {
  test.use({ expectedErrors: failedRequests })
  const { how, answer, message } = brokenAnswer
  test('failures and bad addresses', { tag: '@long' }, async ({
    step,
    page,
    signUp,
    begin,
    open,
  }) => {
    await step(`and a request that ${how} is shown like every other failure`, async () => {
      const release = await hold(page, '**/rest/v1/rpc/report')
      await begin(await signUp(), path)
      await expect(page.getByText('Loading reports...', { exact: true })).toBeVisible()
      release()
      await expect(card(page, 'Active Deals')).toBeVisible()
      await fail(page, '**/rest/v1/rpc/report', 'POST', answer)
      await page.reload()
      await expectToast(page, 'Error', `Failed to fetch reports: ${message}`)
      await expect(page.getByText('The reports could not be loaded')).toBeVisible()
      await page.unroute('**/rest/v1/rpc/report')
      await button(page, 'Try again').click()
      await expect(card(page, 'Active Deals')).toBeVisible()
    })
    await step(
      'a date outside 1900–2200, an end before its start, a pipeline deleted in another window: said in words',
      async () => {
        const user = await open(undefined, `${path}?day=2500-01-01`)
        await expect(page.getByText('Part of this link wasn’t recognized')).toBeVisible()
        await expect(date(page)).toHaveValue(day(0))
        await date(page).fill('2201-01-01')
        await expect(page.getByText('Between 1900 and 2200')).toBeVisible()
        await expect(page.getByText(`Showing data for ${longDate(day(0))}`)).toBeVisible()

        await visit(page, `${path}?from=2026-11-15&to=2026-11-14`)
        await expect(
          page.getByText('The period ends before it begins.', { exact: true }),
        ).toBeVisible()
        await button(page, 'Remove filter Period to Nov 14, 2026').click()
        await expect(card(page, 'Active Deals')).toBeVisible()

        const pipeline = await addRow(user, 'pipelines', { name: 'Partners' })
        await page.goto(`${path}?pipeline=${pipeline}`)
        await expect(button(page, 'Remove filter Pipeline Partners')).toBeVisible()
        await user.client.rpc('delete_pipeline', { id: pipeline })
        await date(page).fill('2026-11-01')
        await expect(
          page.getByText('The pipeline of this report no longer exists. Choose another one.', {
            exact: true,
          }),
        ).toBeVisible()
        await expect(button(page, 'Export')).toBeDisabled()
        await page.reload()
        await button(page, 'Remove filter Pipeline Deleted pipeline').click()
        await expect(card(page, 'Active Deals')).toBeVisible()
      },
    )
  })
})

test('the accessibility scan finds nothing, and nothing sticks out at 360 px', {
  tag: ['@phone', '@long'],
}, async ({ page, open, scan }) => {
  await open(sell)
  await expect(region(page, 'Activities per week')).toBeVisible()
  await button(page, 'Show numbers of Pipeline by stage').click()
  await settled(page)
  await scan()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
})

test('every control of the reports does something', async ({ page, open }) => {
  await open(sell)
  const names = await pressEverything(page, {
    address: path,
    ready: () => expect(region(page, 'Activities per week')).toBeVisible(),
  })
  expect(names).toContain('Show numbers of Activities per week')
})
