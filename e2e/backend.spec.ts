import { expect, test } from './fixtures.ts'

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
