import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test } from './journey.ts'
import { inOrder } from './rows.ts'
import { keepToasts } from './toasts.ts'

const path = '/app/companies'

const table = (page: Page) => page.getByRole('table', { name: 'Companies' })
/** A row of the table, or a card on the phone. */
const row = (page: Page, name: string) =>
  page.locator('tbody tr, article').filter({ has: page.getByRole('link', { name, exact: true }) })
const names = (page: Page) => page.locator('[data-row-link]')
const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const entry = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })

async function stored(user: User) {
  const { data } = await user.client
    .from('companies')
    .select('name, industry, location, tags')
    .order('name')
  return data ?? []
}

/** Four companies, the newest last; Acme has two contacts and a number in the field Seats. */
async function fill(user: User): Promise<void> {
  const seats = await user.client
    .from('fields')
    .insert({ record: 'companies', name: 'Seats', kind: 'number' })
    .select('id')
    .single()
  const rows = inOrder([
    {
      name: 'Acme',
      website: 'https://acme.com',
      industry: 'Tools',
      location: 'Berlin',
      custom: { [seats.data?.id ?? '']: 1250 },
    },
    { name: 'Bolt', industry: 'Tools' },
    { name: 'Corner', industry: 'Food' },
    { name: 'Dune', tags: ['VIP'] },
  ])
  const added = await user.client.from('companies').insert(rows, { defaultToNull: false })
  expect(added.error).toBeNull()
  const company_id = rows[0]?.id ?? ''
  const people = await user.client
    .from('contacts')
    .insert(['Ada', 'Bob'].map((first_name) => ({ first_name, company_id })))
  expect(people.error).toBeNull()
}

/** Where the words of a header or a cell end, in pixels. */
async function endOfText(cell: Locator): Promise<number> {
  return cell.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    let end = 0
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode)
      end = Math.max(end, range.getBoundingClientRect().right)
    }
    return end
  })
}

test('the table of companies: seen, edited, selected and remembered', { tag: '@long' }, async ({
  page,
  signUp,
  begin,
  step,
  longStep,
  scan,
}) => {
  const user = await signUp()
  await fill(user)
  await keepToasts(page)
  await begin(user, path)
  await expect(page.getByText('4 companies', { exact: true })).toBeVisible()

  await step('cards are what shows first; the switch is in the address', async () => {
    await expect(page.getByRole('article')).toHaveCount(4)
    await expect(page.getByRole('radio', { name: 'Cards' })).toBeChecked()
    await page.getByText('Table', { exact: true }).click()
    await expect(page).toHaveURL(`${path}?view=table`)
    await expect(table(page).getByRole('columnheader')).toHaveText([
      '',
      'Company',
      'Website',
      'Industry',
      'Location',
      'Contacts',
      'Open Deals',
      'Actions',
    ])
    await expect(names(page)).toHaveText(['Dune', 'Corner', 'Bolt', 'Acme'])
    await expect(row(page, 'Acme').getByRole('link', { name: 'acme.com' })).toHaveAttribute(
      'href',
      'https://acme.com',
    )
    await expectNoSidewaysScroll(page)
    await scan()
  })

  await step('a header sorts, and the number of contacts leads to them', async () => {
    await button(table(page), 'Contacts').click()
    await expect(page).toHaveURL(`${path}?view=table&sort=contacts`)
    await expect(names(page).first()).toHaveText('Acme')
    await row(page, 'Acme').getByRole('link', { name: '2', exact: true }).click()
    await expect(page.getByText('2 contacts', { exact: true })).toBeVisible()
    await page.goBack()
    await expect(names(page).first()).toHaveText('Acme')
    await button(table(page), 'Company').click()
    await expect(names(page)).toHaveText(['Acme', 'Bolt', 'Corner', 'Dune'])
  })

  await step('cells are edited where they stand; Tab goes on to the next one', async () => {
    const bolt = row(page, 'Bolt')
    await bolt.hover()
    await button(bolt, 'Edit Industry of Bolt').click()
    const field = (label: string) => bolt.getByRole('textbox', { name: label, exact: true })
    await expect(field('Industry')).toBeFocused()
    await field('Industry').fill('Energy')
    await page.keyboard.press('Tab')
    await expect(field('Location')).toBeFocused()
    await field('Location').fill('Oslo')
    await page.keyboard.press('Enter')
    await expect(bolt.getByText('Energy', { exact: true })).toBeVisible()
    await expect(bolt.getByText('Oslo', { exact: true })).toBeVisible()
    await expect
      .poll(() => stored(user))
      .toContainEqual({ name: 'Bolt', industry: 'Energy', location: 'Oslo', tags: [] })
  })

  await step('a field of the user’s own is a column; its figures end where it ends', async () => {
    await button(page, 'View settings').click()
    await page.getByRole('checkbox', { name: 'Emails', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Seats', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Tags', exact: true }).check()
    await page.keyboard.press('Escape')
    const header = page.getByRole('columnheader', { name: 'Seats', exact: true })
    await expect(header).toBeVisible()
    const acme = row(page, 'Acme')
    const cell = acme.getByRole('cell').filter({ hasText: '1250' })
    await expect(cell).toBeVisible()
    await expect
      .poll(async () => Math.abs((await endOfText(header)) - (await endOfText(cell))))
      .toBeLessThan(1)
    await acme.hover()
    await button(acme, 'Edit Seats of Acme').click()
    const field = acme.getByRole('textbox', { name: 'Seats', exact: true })
    await expect(field).toBeFocused()
    await expect(field).toHaveCSS('text-align', 'right')
    await field.fill('1300')
    await page.keyboard.press('Enter')
    await expect(acme.getByText('1300', { exact: true })).toBeVisible()
  })

  await longStep('of several addresses the first is typed in its cell', async () => {
    const bolt = row(page, 'Bolt')
    await bolt.hover()
    await button(bolt, 'Edit Emails of Bolt').click()
    const email = bolt.getByRole('textbox', { name: 'Email', exact: true })
    await expect(email).toBeFocused()
    await email.fill('hi@bolt.example')
    await page.keyboard.press('Enter')
    await expect(bolt.getByRole('link', { name: 'hi@bolt.example' })).toBeVisible()
  })

  await step('selected with Shift and by keys: tags, a field, an export', async () => {
    await tick(page, 'Acme').click()
    await tick(page, 'Corner').click({ modifiers: ['Shift'] })
    await expect(bar(page).getByText('3 selected', { exact: true })).toBeVisible()
    await button(bar(page), 'Clear selection').click()
    await expect(bar(page)).toBeHidden()
    await names(page).first().focus()
    await page.keyboard.press('ControlOrMeta+a')
    await expect(bar(page).getByText('4 selected', { exact: true })).toBeVisible()
    await button(bar(page), 'Clear selection').click()
    await names(page).first().focus()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(bar(page).getByText('2 selected', { exact: true })).toBeVisible()
    await scan()
    await button(bar(page), 'Tags').click()
    const tags = page.getByRole('dialog', { name: 'Tag 2 companies' })
    await tags.getByRole('combobox', { name: 'Tags' }).fill('Partner')
    await button(tags, 'Add tags').click()
    await expect(tags).toBeHidden()
    await expect(row(page, 'Acme').getByText('Partner', { exact: true })).toBeVisible()
    await button(bar(page), 'Set field').click()
    const dialog = page.getByRole('dialog', { name: 'Set field for 2 companies' })
    await expect(dialog.getByRole('combobox', { name: 'Field' })).toHaveValue('Industry')
    await dialog.getByLabel('Value', { exact: true }).fill('Machines')
    await button(dialog, 'Set field').click()
    await expect(dialog).toBeHidden()
    await expect(row(page, 'Bolt').getByText('Machines', { exact: true })).toBeVisible()
    await expect
      .poll(() => stored(user))
      .toMatchObject([
        { name: 'Acme', industry: 'Machines', tags: ['Partner'] },
        { name: 'Bolt', industry: 'Machines', tags: ['Partner'] },
        { name: 'Corner', industry: 'Food', tags: [] },
        { name: 'Dune', industry: null, tags: ['VIP'] },
      ])
    const saved = page.waitForEvent('download')
    await button(bar(page), 'Export selected').click()
    const file = await readFile(await (await saved).path(), 'utf8')
    expect(
      file
        .trim()
        .split('\r\n')
        .map((line) => line.split(',')[0]?.replace('\ufeff', '')),
    ).toEqual(['Name', 'Acme', 'Bolt'])
  })

  await step('a deletion asks first, and Undo brings all back', async () => {
    await button(bar(page), 'Delete selected').click()
    const question = page.getByRole('dialog', { name: 'Delete 2 companies?' })
    await expect(question).toContainText('Contacts and deals stay, without a company.')
    await button(question, 'Cancel').click()
    await expect(bar(page).getByText('2 selected', { exact: true })).toBeVisible()
    await button(bar(page), 'Delete selected').click()
    await button(question, 'Delete').click()
    await expect(names(page)).toHaveText(['Corner', 'Dune'])
    await expect(bar(page)).toBeHidden()
    const toast = page.getByRole('alert').filter({ hasText: '2 companies deleted successfully' })
    await button(toast, 'Undo').click()
    await expect(names(page)).toHaveText(['Acme', 'Bolt', 'Corner', 'Dune'])
    await expect(row(page, 'Acme').getByRole('link', { name: '2', exact: true })).toBeVisible()
  })

  await longStep('the table is there again when one comes back by the sidebar', async () => {
    await entry(page, 'Deals').click()
    await expect(page.getByRole('heading', { name: 'Deals', level: 1 })).toBeVisible()
    await entry(page, 'Companies').click()
    await expect(page).toHaveURL(/\/app\/companies\?view=table&sort=name/)
    await expect(page.getByRole('columnheader', { name: 'Seats', exact: true })).toBeVisible()
    const seen = async () => (await user.client.from('preferences').select('screens').single()).data
    await expect.poll(async () => JSON.stringify(await seen())).toContain('view=table&sort=name')
    await page.getByText('Cards', { exact: true }).click()
    await expect(page.getByRole('article')).toHaveCount(4)
  })
})

test('the table of companies on the phone', { tag: ['@phone', '@long'] }, async ({
  page,
  signUp,
  begin,
  step,
  scan,
}) => {
  const user = await signUp()
  await fill(user)
  await begin(user, path)
  await step('the switch is behind the button of further controls', async () => {
    await expect(row(page, 'Acme')).toBeVisible()
    await button(page, 'More options').click()
    await page.getByText('Table', { exact: true }).click()
    await expect(page).toHaveURL(`${path}?view=table`)
    await page.keyboard.press('Escape')
    await expect(tick(page, 'Acme')).toBeVisible()
    await expect(row(page, 'Acme').getByText('Tools · Berlin', { exact: true })).toBeVisible()
    await expect(
      row(page, 'Acme').getByText('2 contacts · 0 open deals', { exact: true }),
    ).toBeVisible()
  })
  await step('rows are selected by their boxes, and nothing sticks out', async () => {
    await page.getByRole('checkbox', { name: 'Select all', exact: true }).check()
    await expect(bar(page).getByText('4 selected', { exact: true })).toBeVisible()
    await scan()
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoSidewaysScroll(page)
    await button(bar(page), 'Set field').click()
    const dialog = page.getByRole('dialog', { name: 'Set field for 4 companies' })
    await dialog.getByLabel('Value', { exact: true }).fill('Trade')
    await button(dialog, 'Set field').click()
    await expect(dialog).toBeHidden()
    await expect(row(page, 'Dune').getByText('Trade', { exact: true })).toBeVisible()
    await expect
      .poll(async () => (await stored(user)).map(({ industry }) => industry))
      .toEqual(['Trade', 'Trade', 'Trade', 'Trade'])
  })
})
