import type { Page } from '@playwright/test'
import { field as authField, expectToast, fill, submit } from './auth-form.ts'
import { expect, failedRequests, sessionKey } from './fixtures.ts'
import { test } from './journey.ts'
import { button, composer } from './record-page.ts'
import { fail, failures, hold, settled } from './requests.ts'
import { addRow } from './rows.ts'

// What somebody has typed is not lost, and what somebody has sent is answered, whatever happens beside it.
test.use({ expectedErrors: failedRequests })

const [{ answer: refuse, message: refusal } = { answer: () => Promise.resolve(), message: '' }] =
  failures

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const note = (page: Page) => composer(page).getByRole('textbox', { name: 'Write a note' })
const signOut = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign Out' })

/** Refuses the requests to an address, but only when told to. */
async function holdThenRefuse(page: Page, url: string): Promise<() => void> {
  await fail(page, url, 'POST', refuse)
  return hold(page, url)
}

test('forms and notes outlive what fails beside them', { tag: '@long' }, async ({
  step,
  longStep,
  page,
  enter,
  signUp,
  begin,
}) => {
  await step(
    'a task opened from the search keeps its form when neither saving nor reading works',
    async () => {
      const user = await enter('/app/reports')
      const id = await addRow(user, 'tasks', { title: 'Call Ada' })
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: 'Search' }).fill('call ada')
      // Not the line that would create another one, which is there before the answer.
      const records = page.getByRole('group', { name: 'Records', exact: true })
      await records.getByRole('option', { name: 'Call Ada' }).click()
      const form = dialog(page, 'Edit Task')
      await form.getByLabel('Title').fill('Call Ada about the engine')
      await page.route('**/rest/v1/**', refuse)
      await button(form, 'Save Changes').click()
      await expectToast(page, 'Error', `Failed to update task: ${refusal}`)
      await settled(page)
      await expect(form.getByLabel('Title')).toHaveValue('Call Ada about the engine')
      await page.unroute('**/rest/v1/**')
      await button(form, 'Save Changes').click()
      await expect(form).toHaveCount(0)
      const { data } = await user.client.from('tasks').select('title').eq('id', id).single()
      expect(data).toEqual({ title: 'Call Ada about the engine' })
    },
  )
  await longStep(
    'a record whose reading fails keeps what the list knew of it, and the note that is being typed',
    async () => {
      const user = await signUp()
      await addRow(user, 'companies', { name: 'Acme' })
      await begin(user, '/app/companies')
      const release = await holdThenRefuse(page, '**/rest/v1/rpc/company_record')
      await page.getByRole('main').getByRole('link', { name: 'Acme', exact: true }).click()
      await note(page).fill('Met at the fair')
      release()
      const problem = page.getByRole('alert').filter({ hasText: 'Part of this company' })
      await expect(problem).toContainText(refusal)
      await expect(note(page)).toHaveValue('Met at the fair')
      await expect(page.getByRole('heading', { name: 'Acme', level: 1 })).toBeVisible()
      await page.unroute('**/rest/v1/rpc/company_record')
      await button(problem, 'Try again').click()
      await expect(problem).toHaveCount(0)
      await button(composer(page), 'Add note').click()
      await expect(page.getByRole('region', { name: 'Timeline' }).locator('ol')).toContainText(
        'Met at the fair',
      )
      await expect(note(page)).toHaveValue('')
    },
  )
  await longStep('a record that cannot be read at all takes no note', async () => {
    const user = await signUp()
    const id = await addRow(user, 'contacts', { first_name: 'Ada' })
    const release = await holdThenRefuse(page, '**/rest/v1/rpc/contact_record')
    await begin(user, `/app/contacts/${id}`)
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Created')
    await expect(composer(page)).toHaveCount(0)
    release()
    const problem = page.getByRole('alert').filter({ hasText: 'The contact could not be loaded' })
    await expect(problem).toContainText(refusal)
    await page.unroute('**/rest/v1/rpc/contact_record')
    await button(problem, 'Try again').click()
    await expect(note(page)).toBeVisible()
  })
  await longStep(
    'a line that fails after the search was closed is told with its words',
    async () => {
      const line = 'Anna Schmidt @Acme $5k'
      await enter('/app/contacts')
      const release = await holdThenRefuse(page, '**/rest/v1/rpc/write_once')
      await page.keyboard.press('/')
      await page.getByRole('combobox', { name: 'Search' }).fill(line)
      await expect(page.getByRole('option').first()).toContainText('New deal')
      const sent = page.waitForRequest('**/rest/v1/rpc/write_once')
      await page.keyboard.press('Enter')
      await sent
      await page.keyboard.press('Escape')
      await expect(dialog(page, 'Quick Actions')).toHaveCount(0)
      release()
      await expectToast(page, 'Error', `“${line}” was not created: ${refusal}`)
    },
  )
  await longStep('the reason of a lost deal outlives its place in the list', async () => {
    const user = await signUp()
    const id = await addRow(user, 'deals', { name: 'Engine', value: 5000 })
    await begin(user, '/app/deals?q=engine')
    await button(page, 'More for Engine').click()
    await page.getByRole('menuitem', { name: 'Mark as lost' }).click()
    const lost = dialog(page, 'Mark as lost')
    await lost.getByLabel('Reason').fill('Too expensive')
    // It fails, and what is read again then does not show it any more.
    await user.client.from('deals').update({ name: 'Mill' }).eq('id', id)
    await fail(page, '**/rest/v1/rpc/close_deals', 'POST', refuse)
    await button(lost, 'Mark as lost').click()
    await expect(page.getByText('No deals found')).toBeVisible()
    await expect(lost.getByLabel('Reason')).toHaveValue('Too expensive')
    await page.unroute('**/rest/v1/rpc/close_deals')
    await button(lost, 'Mark as lost').click()
    await expect(lost).toHaveCount(0)
    const { data } = await user.client.from('deals').select('lost_reason').eq('id', id).single()
    expect(data).toEqual({ lost_reason: 'Too expensive' })
  })
  await longStep(
    'a due date keeps its moment when another time zone comes after the form',
    async () => {
      const user = await signUp()
      const due_date = '2026-11-20T09:00:00+00:00'
      await addRow(user, 'tasks', { title: 'Call Ada', due_date })
      await begin(user, '/app/tasks')
      await settled(page)
      // Changed in another browser: this one still remembers the zone before.
      await user.client
        .from('preferences')
        .update({ time_zone: 'Pacific/Auckland' })
        .gte('week_starts_on', 0)
      const release = await hold(page, '**/rest/v1/preferences?*')
      await page.reload()
      await button(page, 'Edit Call Ada').click()
      const form = dialog(page, 'Edit Task')
      await form.getByLabel('Title').fill('Call Ada Lovelace')
      release()
      await settled(page)
      await button(form, 'Save Changes').click()
      await expect(form).toHaveCount(0)
      const { data } = await user.client.from('tasks').select('title, due_date').single()
      expect(data).toEqual({ title: 'Call Ada Lovelace', due_date })
    },
  )
})

test('forms and notes outlive the end of a session', async ({
  step,
  longStep,
  page,
  signUp,
  begin,
  enter,
  context,
}) => {
  await step('signing out with a note half typed asks first', async () => {
    const user = await signUp()
    const id = await addRow(user, 'contacts', { first_name: 'Ada' })
    await begin(user, `/app/contacts/${id}`)
    await note(page).fill('Met at the fair')
    await signOut(page).click()
    await button(dialog(page, 'Discard changes?'), 'Keep editing').click()
    await expect(dialog(page, 'Discard changes?')).toHaveCount(0)
    await expect(note(page)).toHaveValue('Met at the fair')
    await signOut(page).click()
    await button(dialog(page, 'Discard changes?'), 'Discard').click()
    await expect(page).toHaveURL('/auth')
    await expect(authField(page, 'Email')).toBeVisible()
  })
  await step(
    "'Not authenticated' without a session: what was typed waits for the same account to sign in",
    async () => {
      const user = await enter('/app/contacts')
      await page.getByRole('button', { name: 'Add contact', exact: true }).click()
      const form = dialog(page, 'Add Contact')
      // The search for similar contacts must not be the first to meet the end of the session.
      const searched = page.waitForResponse('**/rest/v1/rpc/similar_records')
      await form.getByLabel('First Name').fill('Ada')
      await searched
      await page.evaluate((key) => localStorage.removeItem(key), sessionKey)
      await button(form, 'Add Contact').click()
      await expectToast(page, 'Error', 'Failed to create contact: Not authenticated')
      const again = dialog(page, 'Sign in again')
      await expect(again.getByLabel('Email')).toHaveValue(user.email)
      await expect(again.getByRole('link', { name: 'Go to the sign-in page' })).toHaveAttribute(
        'href',
        '/auth?next=%2Fapp%2Fcontacts',
      )
      await page.keyboard.press('Escape')
      await again.getByLabel('Password', { exact: true }).fill(user.password)
      await page.keyboard.press('Enter')
      await expect(again).toHaveCount(0)
      await expect(form.getByLabel('First Name')).toHaveValue('Ada')
      await button(form, 'Add Contact').click()
      await expect(form).toHaveCount(0)
      const { data } = await user.client.from('contacts').select('first_name')
      expect(data).toEqual([{ first_name: 'Ada' }])
    },
  )
  await longStep('a form that was open does not open for who signs in after', async () => {
    const ada = await enter('/app/dashboard')
    const grace = await signUp()
    await page.getByRole('main').getByRole('button', { name: 'Add Contact' }).first().click()
    await expect(dialog(page, 'Add Contact')).toBeVisible()
    await ada.client.auth.admin.signOut(ada.session.access_token, 'global')
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page).toHaveURL(/\/auth/)
    await fill(page, { Email: grace.email, Password: grace.password })
    await submit(page, 'Sign In')
    await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
    await settled(page)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await step('an account that takes over by a link in another tab shows its own rows', async () => {
    const ada = await signUp()
    await addRow(ada, 'contacts', { first_name: 'Charles' })
    await begin(ada, '/app/contacts')
    const names = page.getByRole('main').getByRole('link', { name: /Charles|Mary/ })
    await expect(names).toHaveText(['Charles'])
    const grace = await signUp()
    await addRow(grace, 'contacts', { first_name: 'Mary' })
    const { access_token, refresh_token, token_type } = grace.session
    const link = new URLSearchParams({ access_token, refresh_token, token_type })
    const other = await context.newPage()
    await other.goto(`/auth#${link}&expires_in=3600&type=signup`)
    await expect(other).toHaveURL('/app/dashboard')
    await expect(names).toHaveText(['Mary'])
  })
})
