import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectToast, field, fill, submit } from './auth-form.ts'
import { button } from './contact-list.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test } from './journey.ts'
import { region } from './record-page.ts'
import { brokenAnswer, fail, hold, lostConnection, settled } from './requests.ts'
import { addRow } from './rows.ts'

const path = '/app/settings'
const sections = ['Profile Information', 'Subscription & Billing', 'Data Management']
const sure =
  'Are you absolutely sure? This action cannot be undone. This will permanently delete your account and remove all your data from our servers.'

const profile = (page: Page) => region(page, 'Profile Information')
const data = (page: Page) => region(page, 'Data Management')
const danger = (page: Page) => region(page, 'Danger Zone')
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function preferencesOf({ client }: User) {
  const { data: row } = await client
    .from('preferences')
    .select('display_name, time_zone, theme, week_starts_on')
    .single()
  return row
}

test('Settings', async ({ step, longStep, page, enter, scan }) => {
  const user = await enter(path)
  await step(
    "Profile: email, display name (the part before @), 'Verified', 'Joined {long date}', fixed role label 'Account Owner'",
    async () => {
      const { email, session } = user
      const joined = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' })
      await expect(profile(page).getByText(email, { exact: true }).first()).toBeVisible()
      const name = email.split('@')[0] ?? ''
      await expect(profile(page).getByText(name, { exact: true }).first()).toBeVisible()
      await expect(profile(page).getByText('Verified', { exact: true })).toBeVisible()
      await expect(profile(page).getByText('Account Owner', { exact: true })).toBeVisible()
      const day = joined.format(new Date(session.user.created_at))
      await expect(profile(page).getByText(`Joined ${day}`, { exact: true })).toBeVisible()
    },
  )
  await step(
    'Pro Plan at $29 per month with features Unlimited Contacts, Advanced Reports, Task Management, Pipeline Automation, Priority Support and Data Export',
    async () => {
      const plan = region(page, 'Subscription & Billing')
      await expect(plan.getByText('Pro Plan', { exact: true })).toBeVisible()
      await expect(plan.getByText('$29 per month')).toBeVisible()
      await expect(plan.getByRole('listitem')).toHaveText([
        'Unlimited Contacts',
        'Advanced Reports',
        'Task Management',
        'Pipeline Automation',
        'Priority Support',
        'Data Export',
      ])
    },
  )
  await step(
    "contact CSV export; shows 'Exporting...' while running; 'Export Complete' / 'Successfully exported N contacts'; disabled when there are no contacts",
    async () => {
      await expect(data(page).getByText('No contacts to export yet.')).toBeVisible()
      await expect(button(data(page), 'Export Contacts')).toBeDisabled()
      await addRow(user, 'contacts', { first_name: 'Ada', notes: 'Likes "tea"' })
      await page.reload()
      await expect(button(data(page), 'Export Contacts')).toBeEnabled()
      const release = await hold(page, '**/rest/v1/rpc/contact_page')
      const saved = page.waitForEvent('download')
      await button(data(page), 'Export Contacts').click()
      await expect(button(data(page), 'Exporting...')).toBeDisabled()
      release()
      const file = await saved
      await expectToast(page, 'Export Complete', 'Successfully exported 1 contacts')
      await expect(button(data(page), 'Export Contacts')).toBeEnabled()
      const { time_zone } = (await preferencesOf(user)) ?? {}
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone ?? 'UTC' })
      expect(file.suggestedFilename()).toBe(`contacts-export-${day.format(new Date())}.csv`)
      const text = await readFile(await file.path(), 'utf8')
      expect(text).toMatch(
        /^\uFEFFFirst Name,Last Name,Email,Phone,Role,Lead Status,Notes,Created At\r\nAda,,,,,New,"Likes ""tea""",[\d-]{10}T[\d:.]+Z\r\n$/,
      )
    },
  )
  await longStep(
    'display name, time zone, first day of the week and theme are saved as they are chosen',
    async () => {
      await button(profile(page), 'Change name').click()
      await dialog(page, 'Change name').getByLabel('Display name').fill(' Ada Lovelace ')
      await button(dialog(page, 'Change name'), 'Save name').click()
      await expect(dialog(page, 'Change name')).toHaveCount(0)
      await expect(profile(page).getByText('Ada Lovelace', { exact: true }).first()).toBeVisible()

      await profile(page).getByRole('combobox', { name: 'Time zone' }).fill('Auckland')
      await page.getByRole('option', { name: 'Pacific/Auckland' }).click()
      await profile(page).getByRole('combobox', { name: 'First day of the week' }).click()
      await page.getByRole('option', { name: 'Sunday' }).click()
      await profile(page).getByText('Dark', { exact: true }).click()
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
      await expect
        .poll(() => preferencesOf(user))
        .toEqual({
          display_name: 'Ada Lovelace',
          time_zone: 'Pacific/Auckland',
          theme: 'dark',
          week_starts_on: 0,
        })

      // A browser in which nobody has chosen a theme takes the account's.
      await page.evaluate(() => localStorage.removeItem('mantine-color-scheme-value'))
      await page.reload()
      await expect(profile(page).getByText('Ada Lovelace', { exact: true }).first()).toBeVisible()
      await expect(profile(page).getByRole('combobox', { name: 'Time zone' })).toHaveValue(
        'Pacific/Auckland',
      )
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')

      await button(profile(page), 'Change name').click()
      await dialog(page, 'Change name').getByLabel('Display name').fill('')
      await button(dialog(page, 'Change name'), 'Save name').click()
      await expect(
        profile(page)
          .getByText(user.email.split('@')[0] ?? '', { exact: true })
          .first(),
      ).toBeVisible()
    },
  )
  await longStep('where the account is signed in, with "sign out everywhere else"', async () => {
    const list = page.getByRole('list', { name: 'Sessions' })
    await user.client.auth.signInWithPassword(user)
    await page.reload()
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await button(page, 'Sign out everywhere else').click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(list).toContainText('This device')
    await expect(button(page, 'Sign out everywhere else')).toBeDisabled()
    await expect(page.getByText('Signed out everywhere else', { exact: true })).toBeVisible()
    expect((await user.client.from('contacts').select('id')).error).not.toBeNull()
  })
  await step(
    'Sections: Profile Information, Subscription & Billing, Data Management, Account Actions (sign out and a Danger Zone)',
    async () => {
      for (const name of [...sections, 'Account Actions']) {
        await expect(region(page, name).getByRole('heading', { name, level: 2 })).toBeVisible()
      }
      await expect(region(page, 'Account Actions').getByText('Danger Zone')).toBeVisible()
      await scan()
      // What is asked for in the moment of leaving would be refused, and the browser would say so.
      await settled(page)
      await button(region(page, 'Account Actions'), 'Sign Out').click()
      await expectToast(page, 'Signed out', 'You have been successfully signed out.')
      await expect(page).toHaveURL('/auth')
    },
  )
})

test.describe('failures', () => {
  test.use({ expectedErrors: failedRequests })
  test('failures, a new password and the end of an account', async ({
    step,
    longStep,
    page,
    signUp,
    begin,
    context,
    scan,
  }) => {
    const user = await signUp()
    await addRow(user, 'contacts', { first_name: 'Ada' })
    await begin(user, path)
    await longStep(
      "failure toast 'Export Failed' / 'There was an error exporting your contacts'",
      async () => {
        await fail(page, '**/rest/v1/rpc/contact_page', 'POST', lostConnection.answer)
        await button(data(page), 'Export Contacts').click()
        await expectToast(page, 'Export Failed', 'There was an error exporting your contacts')
        await expect(button(data(page), 'Export Contacts')).toBeEnabled()
      },
    )
    await longStep(
      'Failed to save settings: what was chosen is taken back, what was typed stays',
      async () => {
        await settled(page)
        const { answer, message } = brokenAnswer
        await fail(page, '**/rest/v1/preferences?*', 'PATCH', answer)
        await profile(page).getByRole('combobox', { name: 'First day of the week' }).click()
        await page.getByRole('option', { name: 'Sunday' }).click()
        await expectToast(page, 'Error', `Failed to save settings: ${message}`)
        await expect(
          profile(page).getByRole('combobox', { name: 'First day of the week' }),
        ).toHaveValue('Monday')
        await button(profile(page), 'Change name').click()
        await dialog(page, 'Change name').getByLabel('Display name').fill('Ada')
        await button(dialog(page, 'Change name'), 'Save name').click()
        await expect(button(dialog(page, 'Change name'), 'Save name')).toBeEnabled()
        await expect(dialog(page, 'Change name').getByLabel('Display name')).toHaveValue('Ada')
        await page.keyboard.press('Escape')
        await button(page, 'Discard').click()
        await expect(dialog(page, 'Change name')).toHaveCount(0)
      },
    )
    await longStep('a choice that fails late leaves the next one as it was chosen', async () => {
      await settled(page)
      const { answer } = brokenAnswer
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let count = 0
      await fail(page, '**/rest/v1/preferences?*', 'PATCH', async (route) => {
        count += 1
        if (count > 1) return route.fallback()
        await held
        await answer(route)
      })
      const weekStart = profile(page).getByRole('combobox', { name: 'First day of the week' })
      await weekStart.click()
      await page.getByRole('option', { name: 'Sunday' }).click()
      const zone = profile(page).getByRole('combobox', { name: 'Time zone' })
      await zone.fill('Auckland')
      await page.getByRole('option', { name: 'Pacific/Auckland' }).click()
      release()
      await expect(weekStart).toHaveValue('Monday')
      await expect
        .poll(() => preferencesOf(user))
        .toMatchObject({ time_zone: 'Pacific/Auckland', week_starts_on: 1 })
      await settled(page)
      await expect(weekStart).toHaveValue('Monday')
      await expect(zone).toHaveValue('Pacific/Auckland')
    })
    await step(
      'the password changes when the old one is right, and other devices are signed out',
      async () => {
        await user.client.auth.signInWithPassword(user)
        await user.client.rpc('create_access_token', { name: 'Claude', scope: 'read' })
        const form = dialog(page, 'Change password')
        await button(profile(page), 'Change password').click()
        await expect(form.getByLabel('Current Password')).toBeFocused()
        await form.getByLabel('Current Password').fill('wrong')
        await form.getByLabel('New Password').fill('secret-2')
        await form.getByLabel('Confirm Password').fill('secret-3')
        await button(form, 'Change password').click()
        await expect(form.getByLabel('Confirm Password')).toHaveAccessibleDescription(
          'Passwords do not match.',
        )
        await form.getByLabel('Confirm Password').fill('secret-2')
        await button(form, 'Change password').click()
        await expect(form.getByLabel('Current Password')).toHaveAccessibleDescription(
          'This isn’t your password. Nothing was changed.',
        )
        await expect(form.getByLabel('New Password')).toHaveValue('secret-2')
        await form.getByLabel('Current Password').fill(user.password)
        await form.getByRole('checkbox', { name: 'Revoke all access tokens' }).check()
        await button(form, 'Change password').click()
        await expectToast(page, 'Password changed', 'Your other devices are signed out.')
        await expect(form).toHaveCount(0)
        expect((await user.client.from('contacts').select('id')).error).not.toBeNull()
        const again = await user.client.auth.signInWithPassword({ ...user, password: 'secret-2' })
        expect(again.error).toBeNull()
        const tokens = await user.client.rpc('access_tokens')
        expect(tokens.data).toMatchObject([{ name: 'Claude', revoked_at: expect.any(String) }])
        // This device goes on, also after a reload.
        await page.reload()
        await expect(profile(page).getByText(user.email, { exact: true }).first()).toBeVisible()
      },
    )
    await longStep(
      'Failed to delete account: nothing is deleted, what was typed stays',
      async () => {
        const { email } = user
        await button(danger(page), 'Delete Account').click()
        const address = danger(page).getByLabel('Your email address')
        await address.fill(email)
        const { answer, message } = lostConnection
        await fail(page, '**/rest/v1/rpc/delete_account', 'POST', answer)
        await button(danger(page), 'Delete my account').click()
        await expectToast(page, 'Error', `Failed to delete account: ${message}`)
        await expect(address).toHaveValue(email)
        await expect(page).toHaveURL(path)
        await button(danger(page), 'Cancel').click()
      },
    )
    await step(
      'delete-account area toggles between a prompt and a confirm panel (Cancel returns to the prompt); the address typed, everything is gone, and the landing page says so',
      async () => {
        const otherWindow = await context.newPage()
        await otherWindow.goto('/app/contacts')
        await expect(otherWindow.getByText('Ada', { exact: true })).toBeVisible()

        await expect(danger(page).getByText(sure)).toHaveCount(0)
        await button(danger(page), 'Delete Account').click()
        await expect(danger(page).getByText(sure, { exact: true })).toBeVisible()
        await button(danger(page), 'Cancel').click()
        await expect(danger(page).getByText(sure)).toHaveCount(0)
        await button(danger(page), 'Delete Account').click()
        const address = danger(page).getByLabel('Your email address')
        await address.fill('somebody@example.com')
        await button(danger(page), 'Delete my account').click()
        await expect(address).toHaveAccessibleDescription(
          /This isn’t your account’s email address\./,
        )
        expect((await user.client.from('contacts').select('id')).data).toHaveLength(1)

        await address.fill(user.email.toUpperCase())
        await button(danger(page), 'Delete my account').click()
        await expect(page).toHaveURL('/')
        const word = page.getByRole('main').getByRole('status')
        await expect(word).toHaveText('Your account and all its data have been deleted.')
        const kept = () => page.evaluate(() => Object.keys(localStorage).join())
        await expect.poll(kept).not.toContain('solo-preferences')
        await test.step('the word of the landing page', () => scan(word))
        // The other window has lost its session too.
        await expect(otherWindow).toHaveURL(/\/auth/)
        await otherWindow.close()
        // Said once.
        await page.reload()
        await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
        await expect(word).toBeEmpty()
        await page.goto('/auth')
        await fill(page, { Email: user.email, Password: 'secret-2' })
        await submit(page, 'Sign In')
        await expect(
          page.getByText('Invalid email or password. Please check your credentials and try again.'),
        ).toBeVisible()
        await expect(field(page, 'Email')).toHaveValue(user.email)
      },
    )
  })
})

test('Settings: every control does something', async ({ page, enter }) => {
  await enter(path)
  const names = await pressEverything(page, {
    address: path,
    except: 'Sign Out',
    ready: () => expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible(),
  })
  expect(names).toContain('Change password')
})

test('Settings are accessible and fit, with every dialog open, light and dark', {
  tag: '@long',
}, async ({ page, enter, scan }) => {
  await enter(path)
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible()
  await button(danger(page), 'Delete Account').click()
  await button(danger(page), 'Delete my account').click()
  await test.step('the page', () => scan())
  await expectNoSidewaysScroll(page)
  for (const name of ['Change name', 'Change email', 'Change password']) {
    await button(profile(page), name).click()
    await expect(dialog(page, name)).toBeVisible()
    await test.step(name, () => scan(dialog(page, name)))
    await button(dialog(page, name), 'Cancel').click()
    await expect(dialog(page, name)).toHaveCount(0)
  }
  await page.setViewportSize({ width: 360, height: 640 })
  await expectNoSidewaysScroll(page)
})
