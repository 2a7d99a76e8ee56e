import type { ElementHandle, Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { hold } from './requests.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const combobox = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const chip = (page: Page, name: string) => button(page, `Remove filter ${name}`)

/**
 * Presses one after the other, before the page has drawn anything but what it draws at once: as a quick
 * user does on a slow machine, whose list takes its time to follow.
 */
async function pressInOneGo(...elements: Locator[]): Promise<void> {
  const handles: ElementHandle<HTMLElement | SVGElement>[] = []
  for (const element of elements) {
    const handle = await element.elementHandle()
    if (handle) handles.push(handle)
  }
  expect(handles).toHaveLength(elements.length)
  await handles[0]?.evaluate(async (_, all) => {
    for (const each of all) {
      if (each instanceof HTMLElement) each.click()
      await null
    }
  }, handles)
}

const screens = [
  { path: '/app/reports', label: 'Stage', values: ['No Stage', 'Lead'] },
  { path: '/app/contacts', label: 'Lead Status', values: ['New', 'Qualified'] },
]

test('two quick choices or presses count as two', { tag: '@long' }, async ({
  page,
  step,
  enter,
}) => {
  const user = await enter('/app/contacts')
  // First, while the code of the other screen is not there.
  await step(
    'a search that waits for a pause does not stop the way to another screen',
    async () => {
      const release = await hold(page, '**/assets/deals-page-*.js')
      const link = await page.getByRole('link', { name: 'Deals', exact: true }).boundingBox()
      const code = page.waitForRequest('**/assets/deals-page-*.js')
      await page.getByPlaceholder('Search contacts...').focus()
      await page.mouse.move((link?.x ?? 0) + 20, (link?.y ?? 0) + 10)
      await page.keyboard.type('ann')
      await page.mouse.down()
      await page.mouse.up()
      await code
      await expect(page).toHaveURL('/app/contacts?q=ann')
      release()
      await expect(page).toHaveURL('/app/deals')
      await expect(page.getByRole('heading', { level: 1, name: 'Deals' })).toBeVisible()
      await page.goBack()
      await expect(page.getByPlaceholder('Search contacts...')).toHaveValue('ann')
    },
  )
  await step(
    'a company chosen by keyboard leaves the keyboard in its field, which takes every letter',
    async () => {
      await visit(page, '/app/contacts')
      await user.client.from('companies').insert([{ name: 'Acme' }, { name: 'Bergamot' }])
      await button(page, 'Filter').click()
      const company = combobox(page, 'Company')
      await company.pressSequentially('Acm')
      const option = page.getByRole('option', { name: 'Acme', exact: true })
      await expect(option).toBeVisible()
      await expect(page.getByRole('option', { name: 'Bergamot', exact: true })).toBeHidden()
      const release = await hold(page, '**/rest/v1/rpc/company_page')
      // The first choice is to have no company.
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await expect(option).toHaveAttribute('data-combobox-selected', 'true')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/company=/)
      await expect(company).toHaveValue('Acme')
      release()
      await expect(chip(page, 'Company Acme')).toBeVisible()
      await expect(company).toBeFocused()
      for (const _letter of 'Acme') await page.keyboard.press('Backspace')
      await page.keyboard.type('Berg')
      await expect(page).toHaveURL('/app/contacts')
      await expect(company).toBeFocused()
      await expect(company).toHaveValue('Berg')
      await expect(page.getByRole('option', { name: 'Bergamot', exact: true })).toBeVisible()
    },
  )
  for (const { path, label, values } of screens) {
    await step(
      `two quick choices of ${label} on ${path} are both kept, and both taken away`,
      async () => {
        await visit(page, path)
        await button(page, 'Filter').click()
        await combobox(page, label).click()
        const options = values.map((name) => page.getByRole('option', { name, exact: true }))
        await expect(options[1] as Locator).toBeVisible()
        await pressInOneGo(...options)
        const chips = values.map((value) => chip(page, `${label} ${value}`))
        for (const each of chips) await expect(each).toBeVisible()
        await page.keyboard.press('Escape')
        await pressInOneGo(...chips)
        for (const each of chips) await expect(each).toBeHidden()
        await expect(page).toHaveURL(path)
      },
    )
  }
  await step('a column goes two places to the left in two quick presses', async () => {
    await visit(page, '/app/contacts')
    await button(page, 'View settings').click()
    const move = button(page, 'Move Notes to the left')
    const names = () => page.locator('[data-column]').allInnerTexts()
    await expect(move).toBeVisible()
    const before = await names()
    const place = before.indexOf('Notes')
    expect(place).toBeGreaterThan(1)
    await pressInOneGo(move, move)
    await expect.poll(async () => (await names()).indexOf('Notes')).toBe(place - 2)
  })
})
