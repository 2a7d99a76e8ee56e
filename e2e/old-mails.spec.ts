import { randomUUID } from 'node:crypto'
import { field, fill, submit } from './auth-form.ts'
import { type ClockedServer, startClockedServer } from './clocked-server.ts'
import { test as base, expect, failedRequests } from './fixtures.ts'
import { linkIn, mailTo } from './outbox.ts'

const test = base.extend<object, { server: ClockedServer }>({
  server: [
    async ({ browser: _ }, use) => {
      const server = await startClockedServer()
      await use(server)
      await server.stop()
    },
    // A new data folder, on a busy machine.
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ server }, use) => use(server.address),
})
// One after the other on one server: each test sets its clock.
test.describe.configure({ mode: 'default' })
test.use({ expectedErrors: failedRequests })

const tooOld =
  'This link is no longer valid: it was used, a newer mail replaced it, or it is over an hour old.'
const confirm = 'Confirm my email address'
const setNew = 'Set a new password'
const dashboard = { name: 'Welcome back', level: 1 }

test('a confirmation link that expired is told, and the mail is sent again', async ({
  page,
  server,
}) => {
  const email = `${randomUUID()}@example.com`
  await server.setClock(-61)
  await page.goto('/auth?tab=signup')
  await fill(page, { Email: email, Password: 'secret-1', 'Confirm Password': 'secret-1' })
  await submit(page, 'Sign Up')
  await expect(page.getByText('Account created successfully!')).toBeVisible()
  const first = linkIn(await mailTo(email, 1, server.outbox))
  await server.setClock(0)
  await page.goto(first)
  await submit(page, confirm)
  await expect(page.getByText(tooOld, { exact: true })).toBeVisible()
  await fill(page, { Email: email })
  await submit(page, 'send the confirmation again')
  await expect(
    page.getByText(`If ${email} has to be confirmed, a new mail is on its way.`),
  ).toBeVisible()
  const second = linkIn(await mailTo(email, 2, server.outbox))
  expect(second).not.toBe(first)
  await page.goto(first)
  await submit(page, confirm)
  await expect(page.getByText(tooOld, { exact: true })).toBeVisible()
  await page.goto(second)
  await submit(page, confirm)
  await expect(page.getByRole('heading', dashboard)).toBeVisible()
  await expect(page).toHaveURL('/app/dashboard')
})

test('a link for a new password that expired is told, and another one can be had', async ({
  page,
  browser,
  server,
}) => {
  const email = `${randomUUID()}@example.com`
  await server.setClock(-61)
  await page.goto('/auth?tab=signup')
  await fill(page, { Email: email, Password: 'secret-1', 'Confirm Password': 'secret-1' })
  await submit(page, 'Sign Up')
  await expect(page.getByText('Account created successfully!')).toBeVisible()
  const confirmation = await mailTo(email, 1, server.outbox)
  // Followed elsewhere: this browser stays signed out.
  const elsewhere = await browser.newPage()
  await elsewhere.goto(linkIn(confirmation))
  const confirmed = elsewhere.waitForResponse('**/auth/v1/verify*')
  await submit(elsewhere, confirm)
  expect((await confirmed).status()).toBe(200)
  await elsewhere.close()
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await fill(page, { Email: email })
  await submit(page, 'Send the link')
  const old = linkIn(await mailTo(email, 2, server.outbox))
  await server.setClock(0)
  await page.goto(old)
  await submit(page, setNew)
  await expect(page.getByText(tooOld, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await fill(page, { Email: email })
  await submit(page, 'Send the link')
  await page.goto(linkIn(await mailTo(email, 3, server.outbox)))
  await submit(page, setNew)
  await expect(field(page, 'New Password')).toBeVisible()
})
