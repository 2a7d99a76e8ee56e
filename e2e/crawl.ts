import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { settled } from './requests.ts'

type CrawlOptions = {
  address: string
  /** Waits until the screen stands. */
  ready: () => Promise<void>
  /** What would end the journey; it has a test of its own. */
  except?: string
  /** Where to press; the screen itself unless told. */
  within?: Locator
}

/**
 * Presses every enabled control of a screen, each on a fresh page, and expects each to change the page,
 * the address or the network. Answers with their names.
 */
export async function pressEverything(
  page: Page,
  { address, ready, except, within = page.getByRole('main') }: CrawlOptions,
): Promise<string[]> {
  const all = within.locator(
    'button:enabled:not([aria-disabled=true]):visible, a[href]:visible, input:enabled:visible, textarea:enabled:visible, [role=option]:visible',
  )
  const controls = except ? all.filter({ hasNotText: new RegExp(`^${except}$`) }) : all
  async function open(): Promise<void> {
    await page.goto(address)
    await ready()
    await settled(page)
  }
  await open()
  const names: string[] = []
  const count = await controls.count()
  for (let index = 0; index < count; index += 1) {
    if (index > 0) await open()
    names.push(await press(page, controls.nth(index)))
  }
  return names
}

async function press(page: Page, control: Locator): Promise<string> {
  const { name, kind } = await control.evaluate((node) => {
    const isChoice = node.matches('input[type=radio], input[type=checkbox]')
    let kind: 'handed over' | 'chosen' | 'choice' | 'day' | 'text' | 'button' = 'button'
    if (node.matches('a[href^="mailto:"], a[href^="tel:"]')) kind = 'handed over'
    else if (isChoice) kind = node.matches('[type=radio]:checked') ? 'chosen' : 'choice'
    else if (node.matches('[type=date]')) kind = 'day'
    else if (node.matches('input:not([readonly]), textarea')) kind = 'text'
    return { name: node.getAttribute('aria-label') ?? node.textContent ?? '', kind }
  })
  // Handed over to another program, which the page cannot see, or chosen already.
  if (kind === 'handed over' || kind === 'chosen') return name
  const looks = () => page.evaluate(() => location.href + document.body.innerHTML)
  const before = await looks()
  let hasAsked = false
  const note = () => {
    hasAsked = true
  }
  page.on('request', note)
  // The browser's own window, which the page does not show.
  page.on('filechooser', note)
  page.context().on('page', note)
  if (kind === 'text') await control.fill('acme')
  else if (kind === 'day') await control.fill('2026-01-31')
  else if (kind === 'choice') await control.click({ force: true })
  else await control.click()
  await expect
    .poll(async () => hasAsked || (await looks()) !== before, { message: `${name} does something` })
    .toBe(true)
  page.off('request', note)
  page.off('filechooser', note)
  page.context().off('page', note)
  for (const other of page.context().pages()) if (other !== page) await other.close()
  return name
}
