import { addDeals, button, stagesOf } from './deal-list.ts'
import { expect } from './fixtures.ts'
import { test } from './journey.ts'
import { addRow } from './rows.ts'

test('a deal without a next step shows it in list and board, and the filter finds it', {
  tag: '@long',
}, async ({ page, signUp, begin, scan }) => {
  const user = await signUp()
  const { Lead = null } = await stagesOf(user)
  const [planned = ''] = await addDeals(
    user,
    { name: 'Planned', stage_id: Lead },
    { name: 'Forgotten', stage_id: Lead },
  )
  await addRow(user, 'tasks', { title: 'Call', deal_id: planned })
  const mark = page.getByRole('img', { name: 'No next step', exact: true })
  const deal = (name: string) => page.getByRole('link', { name, exact: true })

  await begin(user, '/app/deals')
  await expect(deal('Planned')).toBeVisible()
  await expect(mark).toHaveCount(1)
  await expect(mark).toHaveAttribute('title', 'No next step')
  await button(page, 'Filter').click()
  await page.getByRole('combobox', { name: 'Needs attention' }).click()
  await page.getByRole('option', { name: 'No next step', exact: true }).click()
  await expect(deal('Planned')).toHaveCount(0)
  await expect(deal('Forgotten')).toBeVisible()
  await expect(page).toHaveURL(/attention=no_next_step/)
  await scan()

  await page.goto('/app/deals?view=board&attention=no_next_step')
  await expect(
    page.getByRole('article', { name: 'Forgotten' }).getByRole('img'),
  ).toHaveAccessibleName('No next step')
  await expect(deal('Planned')).toHaveCount(0)
})
