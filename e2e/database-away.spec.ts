import type { Route } from '@playwright/test'
import { unreachable } from '#server/backend/public-error.ts'
import { expectToast } from './auth-form.ts'
import { expect, failedRequests, test } from './fixtures.ts'
import { settled } from './requests.ts'

// That the server answers so: supabase/tests/servers.test.ts and hung-server.test.ts.
const { status, message } = unreachable
const answerAway = (route: Route) =>
  route.fulfill({ status, json: { code: '57P03', message, details: null, hint: null } })

test.use({ expectedErrors: failedRequests })

test('while the database is away the screen says so in words, keeps what was typed and the session, and Try again helps', {
  tag: '@long',
}, async ({ page, enter, scan }) => {
  const user = await enter('/app/companies')
  const dialog = page.getByRole('dialog', { name: 'Add Company' })
  const send = dialog.getByRole('button', { name: 'Add Company' })
  const company = page.getByRole('article', { name: 'Acme', exact: true })
  await page.getByRole('button', { name: 'Add Company' }).first().click()
  await dialog.getByLabel('Company Name *').fill('Acme')
  await dialog.getByLabel('Location').fill('Berlin')

  await page.route('**/rest/v1/**', answerAway)
  await send.click()
  await expectToast(page, 'Error', `Failed to create company: ${message}`)
  await expect(dialog.getByLabel('Company Name *')).toHaveValue('Acme')
  await expect(dialog.getByLabel('Location')).toHaveValue('Berlin')
  await page.unroute('**/rest/v1/**')
  await send.click()
  await expect(dialog).toBeHidden()
  await expect(company).toBeVisible()

  await page.route('**/rest/v1/**', answerAway)
  await page.reload()
  const main = page.getByRole('main')
  await expect(
    main.getByRole('heading', { name: 'The companies could not be loaded' }),
  ).toBeVisible()
  await expect(main.getByText(message, { exact: true })).toBeVisible()
  await expect(page.getByText(user.email)).toBeVisible()
  await scan(main, { contrast: true })
  await main.getByRole('button', { name: 'Try again' }).click()
  await settled(page)
  await expect(main.getByText(message, { exact: true })).toBeVisible()
  await page.unroute('**/rest/v1/**')
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(company).toBeVisible()
  const { data } = await user.client.from('companies').select('name, location')
  expect(data).toEqual([{ name: 'Acme', location: 'Berlin' }])
})
