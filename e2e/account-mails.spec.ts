import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectFailure, expectFieldError, expectToast, field, fill, submit } from './auth-form.ts'
import { expect, expectNoSidewaysScroll, failedRequests, settingsIn } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { linkIn, mailTo } from './outbox.ts'
import { settled } from './requests.ts'

test.use({ baseURL: process.env.E2E_CONFIRMING_URL ?? '', expectedErrors: failedRequests })

const created = 'Account created successfully! Please check your email for a confirmation link.'
const notConfirmed = 'Please check your email and click the confirmation link before signing in.'
const usedUp =
  'This link is no longer valid. It was used, replaced by a newer email or has expired.'
const password = 'secret-1'
const confirm = 'Confirm my email address'
const unexpected = 'An unexpected error occurred. Please try again.'
const unreachable = 'The server can’t be reached. Check your connection.'

async function signInByForm(page: Page, email: string, secret = password): Promise<void> {
  await fill(page, { Email: email, Password: secret })
  await submit(page, 'Sign In')
}

const dashboard = (page: Page) => page.getByRole('heading', { name: 'Welcome back', level: 1 })

async function signOut(page: Page): Promise<void> {
  // What is asked for in the moment of leaving would be refused, and the browser would say so.
  await settled(page)
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click()
  await expect(field(page, 'Email')).toBeVisible()
}

/** An account whose address has been confirmed. */
async function makeConfirmed(page: Page): Promise<string> {
  const { supabaseKey } = settingsIn(await (await page.request.get('/auth')).text())
  const headers = { apikey: supabaseKey }
  const email = `${randomUUID()}@example.com`
  await page.request.post('/auth/v1/signup', { headers, data: { email, password } })
  const link = new URLSearchParams(new URL(linkIn(await mailTo(email))).hash.slice(1))
  const data = { token_hash: link.get('token_hash'), type: link.get('type') }
  expect((await page.request.post('/auth/v1/verify', { headers, data })).ok()).toBe(true)
  return email
}

/** On the page for signing in. */
async function askForNewPassword(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await fill(page, { Email: email })
  await submit(page, 'Send the link')
  await expect(page.getByRole('status')).toContainText(`If ${email} has an account`)
}

test('Sign-up that has to be confirmed', async ({ step, longStep, page, scan }) => {
  const email = `${randomUUID()}@example.com`
  const main = page.getByRole('main')
  await step(
    'after a successful sign-up the form is cleared, the tab switches to login and a success message shows',
    async () => {
      await page.goto('/auth?tab=signup')
      await fill(page, { Email: email, Password: password, 'Confirm Password': password })
      await submit(page, 'Sign Up')
      await expect(page.getByText(created, { exact: true })).toBeVisible()
      await expect(page.getByText('The email may take a few minutes to arrive.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible()
      await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute(
        'aria-selected',
        'true',
      )
      await expect(field(page, 'Email')).toHaveValue('')
      await expect(field(page, 'Password')).toHaveValue('')
      await test.step('scan', () => scan(main, { contrast: true }))
      expect((await mailTo(email)).subject).toBe('Confirm your email address for Solo CRM')
    },
  )
  await step(
    'Email not confirmed → Please check your email and click the confirmation link before signing in.',
    async () => {
      await signInByForm(page, email)
      await expectFailure(page, notConfirmed)
      // What was good news before is not said beside it.
      await expect(page.getByText(created)).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'resend the confirmation' })).toBeVisible()
      await expect(field(page, 'Email')).toHaveValue(email)
      await expect(field(page, 'Password')).toHaveValue(password)
    },
  )
  await longStep(
    'is sent again only to an address that can be read, and a failure is said in words',
    async () => {
      await fill(page, { Email: '' })
      await submit(page, 'resend the confirmation')
      await expectFieldError(page, 'Email', 'Enter your email address.')
      await fill(page, { Email: email })
      await page.route('**/auth/v1/resend*', (route) => route.abort())
      await submit(page, 'resend the confirmation')
      await expectFailure(page, unexpected, unreachable)
      await expect(field(page, 'Email')).toHaveValue(email)
      await page.unroute('**/auth/v1/resend*')
      await submit(page, 'resend the confirmation')
      // Within a minute none is sent, and so none is promised.
      await expect(page.getByRole('status').filter({ hasText: email })).toHaveText(
        new RegExp(
          `^An email to ${email} was requested less than a minute ago. You can request another in [1-6]?\\d seconds?\\.$`,
        ),
      )
      await expect(page.getByText('is on its way')).toHaveCount(0)
      await expect(page.getByRole('alert')).toHaveCount(0)
      await mailTo(email, 1)
      // What was typed for the sign-up is gone from its form, too.
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await expect(field(page, 'Confirm Password')).toHaveValue('')
    },
  )
  let link = ''
  await step(
    'is opened by a mail scanner and by a person, and the press completes the sign-in',
    async () => {
      link = linkIn(await mailTo(email))
      const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? ''
      // A scanner asks for it, one that runs scripts opens it as a page; older mails have another link.
      const old = `/auth/v1/verify?token=${token}&type=signup`
      for (const method of ['HEAD', 'GET']) {
        for (const address of [link, old]) {
          expect((await page.request.fetch(address, { method })).status()).toBe(200)
        }
      }
      await page.goto(link)
      await expect(page.getByRole('button', { name: confirm })).toBeVisible()

      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(old)
      await expect(page.getByRole('heading', { name: 'Confirm your email address' })).toBeVisible()
      await expect(page).toHaveTitle('Confirm your email address · Solo CRM')
      await expect(page.getByRole('button', { name: confirm })).toBeFocused()
      await test.step('the press is accessible', () => scan(main))
      asked.length = 0
      await page.keyboard.press('Enter')
      await expect(dashboard(page)).toBeVisible()
      await expect(page).toHaveURL('/app/dashboard')
      expect(asked.filter((address) => address.includes(token))).toEqual([])
    },
  )
  await longStep('used twice shows the error and offers to send the mail again', async () => {
    await signOut(page)
    await page.goto(link)
    await submit(page, confirm)
    await expect(page.getByText(usedUp, { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'resend the confirmation' })).toBeVisible()
    await expect(page).toHaveURL('/auth')
    // The account is confirmed all the same; what the link said is said once.
    await signInByForm(page, email)
    await expect(dashboard(page)).toBeVisible()
    await signOut(page)
    await expect(page.getByText(usedUp)).toHaveCount(0)
  })
  await longStep('with an error in fragment or query: / hands it unchanged to /auth', async () => {
    const error = new URLSearchParams({
      error: 'access_denied',
      error_code: 'over_request_rate_limit',
      error_description: 'Too many attempts. Please wait 10 minutes and try again.',
    })
    for (const mark of ['#', '?']) {
      const handed = page.waitForRequest((request) => request.url().includes('/auth'))
      await page.goto(`/${mark}${error}`)
      expect(new URL((await handed).url()).search).toBe(mark === '?' ? `?${error}` : '')
      await expectFailure(page, 'Too many attempts. Please wait 10 minutes and try again.')
    }
  })
})

test('Forgot password', async ({ step, longStep, page, baseURL, scan }) => {
  await longStep('the view for it is not there for whoever signs in, nor its address', async () => {
    const email = await makeConfirmed(page)
    await page.goto('/auth?view=new-password&next=%2Fapp%2Fdeals')
    await expect(page).toHaveURL('/auth?next=%2Fapp%2Fdeals')
    await signInByForm(page, email)
    await expect(page).toHaveURL('/app/deals')
    await expect(page.getByRole('heading', { name: 'Deals', level: 1 })).toBeVisible()
    await signOut(page)
  })
  await longStep(
    'the view for it outlives a reload, until the user leaves it on purpose',
    async () => {
      const email = await makeConfirmed(page)
      await askForNewPassword(page, email)
      await page.goto(linkIn(await mailTo(email, 2)))
      // Nothing is used up by then.
      await page.reload()
      await submit(page, 'Set a new password')
      const view = page.getByRole('heading', { name: 'Set a new password' })
      await expect(view).toBeVisible()
      await expect(page).toHaveURL('/auth?view=new-password')
      await page.reload()
      await expect(view).toBeVisible()
      await expect(page.getByText(`For ${email}.`)).toBeVisible()
      await page.getByRole('link', { name: 'Keep old password' }).click()
      await expect(dashboard(page)).toBeVisible()
      await page.goto('/auth')
      await expect(page).toHaveURL('/app/dashboard')
      await expect(dashboard(page)).toBeVisible()
      await signOut(page)
    },
  )
  await step('a new one is set from the mail, and the old one is void', async () => {
    await page.goto('/auth')
    const email = await makeConfirmed(page)
    await askForNewPassword(page, email)
    const mail = await mailTo(email, 2)
    expect(mail.subject).toBe('Set a new password for Solo CRM')
    const link = linkIn(mail)
    expect(new URL(link).origin).toBe(baseURL)
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
    await expect(page).toHaveTitle('Set a new password · Solo CRM')
    await submit(page, 'Set a new password')
    await expect(page.getByText(`For ${email}.`)).toBeVisible()
    for (const label of ['New Password', 'Confirm Password']) {
      await expect(field(page, label)).toHaveAttribute('autocomplete', 'new-password')
      await expect(field(page, label)).toHaveAttribute('minlength', '6')
      await expect(field(page, label)).toHaveAttribute('required')
    }
    await expect(page.locator('input[autocomplete=username]')).toHaveValue(email)

    await fill(page, { 'New Password': 'new', 'Confirm Password': 'knew' })
    await submit(page, 'Set new password')
    await expectFieldError(page, 'Confirm Password', 'Passwords do not match.')
    await test.step('setting it is accessible and fits, light and dark', async () => {
      await scan()
      const size = page.viewportSize() ?? { width: 0, height: 0 }
      await page.setViewportSize({ width: 360, height: 640 })
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(size)
    })
    await fill(page, { 'Confirm Password': 'new' })
    await submit(page, 'Set new password')
    await expectFieldError(page, 'New Password', 'Password must be at least 6 characters long.')

    await fill(page, { 'New Password': 'newer-secret', 'Confirm Password': 'newer-secret' })
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(field(page, 'Confirm Password')).toHaveAttribute('type', 'text')
    await page.getByLabel('Revoke all access tokens').check()
    const revoked = page.waitForResponse('**/rest/v1/rpc/revoke_access_tokens')
    await submit(page, 'Set new password')
    expect((await revoked).status()).toBe(200)
    await expectToast(page, 'Password changed', 'You’re signed in.')
    await expect(page).toHaveURL('/app/dashboard')

    await signOut(page)
    await signInByForm(page, email, password)
    await expect(page.getByText('Invalid email or password.')).toBeVisible()
    await signInByForm(page, email, 'newer-secret')
    await expect(dashboard(page)).toBeVisible()
  })
})

test.describe('An account in the settings', () => {
  async function signInWithPassword(page: Page, email: string): Promise<void> {
    await page.goto('/auth?next=%2Fapp%2Fsettings')
    await signInByForm(page, email)
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  }

  test('a new address counts once the link in the mail to it was followed, and a deleted account leaves no mail', {
    tag: '@long',
  }, async ({ page }) => {
    const email = await makeConfirmed(page)
    const next = `${randomUUID()}@example.com`
    await signInWithPassword(page, email)
    await page.getByRole('button', { name: 'Change email' }).click()
    const form = page.getByRole('dialog', { name: 'Change email' })
    await form.getByLabel('New Email').fill(email)
    await form.getByLabel('Current Password').fill('wrong')
    await form.getByRole('button', { name: 'Send the link' }).click()
    await expect(form.getByLabel('New Email')).toHaveAccessibleDescription(
      'This is already your email address.',
    )
    await form.getByLabel('New Email').fill(next)
    await form.getByRole('button', { name: 'Send the link' }).click()
    await expect(form.getByLabel('Current Password')).toHaveAccessibleDescription(
      'This isn’t your password. Nothing was changed.',
    )
    await form.getByLabel('Current Password').fill(password)
    await form.getByRole('button', { name: 'Send the link' }).click()
    await expectToast(
      page,
      'Check your email',
      `Open the link we sent to ${next}. Until then your email stays ${email}.`,
    )
    await expect(page.getByText(`To change it to ${next}`)).toBeVisible()
    const mail = await mailTo(next)
    expect(mail.subject).toBe('Confirm your new email address for Solo CRM')
    await page.goto(linkIn(mail))
    await submit(page, 'Confirm my new email address')
    await expect(dashboard(page)).toBeVisible()
    await visit(page, '/app/settings')
    const actions = page.getByRole('region', { name: 'Account Actions' })
    await expect(actions.getByText(`You are signed in as ${next}.`)).toBeVisible()

    await actions.getByRole('button', { name: 'Delete Account' }).click()
    await actions.getByLabel('Your email address').fill(next)
    await actions.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page).toHaveURL('/')
    await mailTo(next, 0)
    await mailTo(email, 0)
  })
})
