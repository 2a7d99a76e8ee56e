import { expect, settingsIn, test } from './fixtures.ts'

test('the settings in the page give a client that writes and reads back', async ({ signUp }) => {
  const { client, session } = await signUp()
  const written = await client.from('companies').insert({ name: 'Acme' }).select().single()
  expect(written.error).toBeNull()
  expect(written.data).toMatchObject({ name: 'Acme', user_id: session.user.id })
  const read = await client.from('companies').select('name')
  expect(read.data).toEqual([{ name: 'Acme' }])
})

test('a user sees nothing of another', async ({ signUp }) => {
  const [one, other] = [await signUp(), await signUp()]
  await one.client.from('companies').insert({ name: 'Acme' })
  const read = await other.client.from('companies').select('name')
  expect(read.data).toEqual([])
})

test('a remembered session is found again', async ({ page, signUp, signIn }) => {
  const user = await signUp()
  await page.goto('/app/dashboard')
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await signIn(user)
  await page.goto('/app/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back', level: 1 })).toBeVisible()
  await expect(page.getByText(user.email)).toBeVisible()
})

test('the page itself reaches the backend under its policy', async ({ page }) => {
  await page.goto('/auth')
  const { supabaseKey } = settingsIn(await page.content())
  const status = await page.evaluate(async (apikey) => {
    const answer = await fetch('/auth/v1/settings', { headers: { apikey } })
    return answer.status
  }, supabaseKey)
  expect(status).toBe(200)
})

test.describe('settings that cannot be read', () => {
  test.use({ expectedErrors: [/The settings in this page are incomplete/] })

  test('end in a message with a way on', async ({ page }) => {
    await page.route('**/auth', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/"supabaseKey":"[^"]*"/, '"supabaseKey":""')
      await route.fulfill({ response: answer, body })
    })
    await page.goto('/auth')
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    await expect(page.getByText('incomplete: supabaseKey')).toBeVisible()
    await page.unroute('**/auth')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await expect(page.getByRole('heading', { name: 'Solo CRM' })).toBeVisible()
  })
})
