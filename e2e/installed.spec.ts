import type { Page } from '@playwright/test'
import { expect, failedRequests } from './fixtures.ts'
import { test } from './journey.ts'
import { settled } from './requests.ts'

test.use({ serviceWorkers: 'allow', expectedErrors: failedRequests })

const bar = (page: Page) => page.getByRole('navigation', { name: 'Shortcuts' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const line = (page: Page) => dialog(page, 'Quick Actions').getByRole('combobox')
const isReady = (page: Page) =>
  page.evaluate(async () => Boolean((await navigator.serviceWorker.ready).active))

/** Marks the page once the app has registered its worker. */
function noteRegistration(): void {
  const { serviceWorker } = navigator
  const register = serviceWorker.register.bind(serviceWorker)
  serviceWorker.register = async (...given) => {
    const registration = await register(...given)
    document.documentElement.dataset.registered = ''
    return registration
  }
}

/** As another app on the phone would: the device sends a form to the address of the manifest. */
async function share(page: Page, texts: Record<string, string>, card?: string): Promise<void> {
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(
      ([given, content]) => {
        const form = document.createElement('form')
        Object.assign(form, {
          method: 'post',
          action: '/app/open/shared',
          enctype: 'multipart/form-data',
        })
        for (const [name, value] of Object.entries(given)) {
          form.append(Object.assign(document.createElement('input'), { name, value }))
        }
        if (content) {
          const files = new DataTransfer()
          files.items.add(new File([content], 'Grace.vcf', { type: 'text/vcard' }))
          const input = Object.assign(document.createElement('input'), {
            type: 'file',
            name: 'files',
          })
          input.files = files.files
          form.append(input)
        }
        document.body.append(form)
        form.submit()
      },
      [texts, card] as const,
    ),
  ])
}

test('the installed app on the phone', { tag: '@phone' }, async ({
  page,
  enter,
  step,
  longStep,
  scan,
  context,
}) => {
  await step(
    'a bottom bar within the thumb’s reach: Today, Contacts, +, Deals, Search',
    async () => {
      await enter()
      await expect(bar(page).getByRole('link')).toHaveText(['Today', 'Contacts', 'Deals'])
      await scan(bar(page), { contrast: true })
      await bar(page).getByRole('link', { name: 'Contacts' }).click()
      await expect(heading(page, 'Contacts')).toBeVisible()
      await bar(page).getByRole('link', { name: 'Deals' }).click()
      await expect(heading(page, 'Deals')).toBeVisible()
      await bar(page).getByRole('link', { name: 'Today' }).click()
      await expect(heading(page, 'Welcome back')).toBeVisible()
      await expect(page).toHaveURL('/app/dashboard')
      await bar(page).getByRole('button', { name: 'Add' }).click()
      await expect(
        dialog(page, 'Quick Actions').getByRole('button', { name: 'Add Contact' }),
      ).toBeVisible()
      await page.keyboard.press('Escape')
      await bar(page).getByRole('button', { name: 'Search' }).click()
      await expect(line(page)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog(page, 'Quick Actions')).toBeHidden()
    },
  )
  await expect.poll(() => isReady(page)).toBe(true)
  await step('Chromium finds nothing that keeps it from being installed', async () => {
    const devtools = await context.newCDPSession(page)
    const { errors, data = '' } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data)).toMatchObject({ start_url: '/app/dashboard', display: 'standalone' })
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    await devtools.detach()
  })
  await longStep('shortcuts: new contact, new task, search, quick add', async () => {
    await page.goto('/app/open/contact')
    await expect(dialog(page, 'Add Contact')).toBeVisible()
    await expect(page).toHaveURL('/app/dashboard')
    await page.goto('/app/open/task')
    await expect(dialog(page, 'Create New Task')).toBeVisible()
    for (const field of ['search', 'quick-add']) {
      await page.goto(`/app/open/${field}`)
      await expect(line(page)).toBeFocused()
    }
  })
  await longStep('a shared text becomes a quick-add line, without what is said twice', async () => {
    await share(page, {
      title: 'Ada Byron',
      text: 'Ada Byron ada@engine.example',
      url: 'https://engine.example',
    })
    await expect(line(page)).toHaveValue('Ada Byron ada@engine.example https://engine.example')
    await page.goto('/app/open/shared')
    await expect(page.getByText('Nothing arrived.')).toBeVisible()
  })
  await longStep('a shared contact becomes a contact', async () => {
    const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Grace Hopper\r\nN:Hopper;Grace\r\nEND:VCARD\r\n'
    await share(page, { title: '' }, card)
    await expect(heading(page, 'Import')).toBeVisible()
    await page.getByRole('button', { name: 'Check 1 card' }).click()
    await page.getByRole('button', { name: 'Import 1 contact' }).click()
    await expect(page.getByText('1 contact added').first()).toBeVisible()
    await settled(page)
  })
  await longStep('updates ask before they reload and never lose typed text', async () => {
    await page.addInitScript(noteRegistration)
    await page.goto('/app/open/contact')
    await dialog(page, 'Add Contact').getByLabel('First Name').fill('Half')
    await page.locator('html[data-registered]').waitFor()
    // Another address is another version for the browser.
    await page.evaluate(() => navigator.serviceWorker.register('/worker.js?next'))
    const reload = page.getByRole('alert').getByRole('button', { name: 'Reload' })
    await reload.click()
    await dialog(page, 'Discard changes?').getByRole('button', { name: 'Keep editing' }).click()
    await expect(dialog(page, 'Add Contact').getByLabel('First Name')).toHaveValue('Half')
    await reload.click()
    await Promise.all([
      page.waitForEvent('load'),
      dialog(page, 'Discard changes?').getByRole('button', { name: 'Discard' }).click(),
    ])
    await expect(heading(page, 'Welcome back')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL))
      .toMatch('?next')
  })
  await longStep(
    'without a network the app itself opens; public pages are not the worker’s',
    async () => {
      await settled(page)
      await context.setOffline(true)
      await page.goto('/app/contacts')
      await expect(heading(page, 'Contacts')).toBeVisible()
      await expect(bar(page)).toBeVisible()
      const other = await context.newPage()
      await expect(other.goto('/')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
    },
  )
})
