import { addDeals, stagesOf } from './deal-list.ts'
import { button, main, region } from './figures.ts'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { addRow } from './rows.ts'

async function sell(user: User): Promise<string[]> {
  const { data } = await user.client.from('pipelines').select('id')
  const stages = await stagesOf(user, data?.[0]?.id ?? '')
  return addDeals(
    user,
    { name: 'Won deal', value: 1200, stage_id: stages['Closed Won'] ?? null },
    { name: 'Open deal', value: 300, stage_id: stages.Lead ?? null },
  )
}

test('a goal, a period, the week in review, what may already exist, and what is pinned', async ({
  step,
  longStep,
  page,
  signUp,
  begin,
  scan,
}) => {
  const user = await signUp()
  const [won = ''] = await sell(user)
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
  await addRow(user, 'contacts', ada)

  await begin(user, '/app/dashboard')

  await longStep('the goal of the month is set, shows what was won, and is removed', async () => {
    await button(main(page), 'Set a monthly goal').click()
    await page.getByLabel('Monthly goal').fill('2400')
    await page.keyboard.press('Enter')
    const goal = region(page, 'Monthly goal')
    await expect(goal).toContainText('$1,200 of $2,400')
    await expect(goal).toContainText('50% ·')
    await page.reload()
    await expect(goal).toContainText('$1,200 of $2,400')
    await button(goal, 'Edit goal').click()
    await button(main(page), 'Remove goal').click()
    await expect(button(main(page), 'Set a monthly goal')).toBeVisible()
  })

  await longStep('a period is compared with the one before', async () => {
    await visit(page, '/app/reports')
    await button(main(page), 'This month').click()
    const row = region(page, 'Compared with the previous period').getByRole('row', {
      name: /^Won \$/,
    })
    await expect(row).toHaveText(/^Won\$1,200\$0New$/)
    await scan(region(page, 'Compared with the previous period'))
  })

  await step('the week in review tells what happened, and can be mailed to oneself', async () => {
    await visit(page, '/app/reports')
    await main(page).getByRole('link', { name: 'Week in review' }).click()
    await expect(page.getByRole('heading', { name: 'Week in review', level: 1 })).toBeVisible()
    await expect(region(page, 'Won').getByRole('link', { name: 'Won deal' })).toBeVisible()
    await expect(region(page, 'New deals').getByRole('listitem')).toHaveCount(2)
    await expect(main(page).getByRole('link', { name: 'Email to me' })).toHaveAttribute(
      'href',
      /^mailto:.*subject=Week%20in%20review/,
    )
    await scan()
    await expectNoSidewaysScroll(page)
    await main(page).getByRole('link', { name: 'Previous week' }).click()
    await expect(region(page, 'Won')).toContainText('No deals won')
  })

  await longStep(
    'the form of a contact says that the address is known, and blocks nothing',
    async () => {
      await visit(page, '/app/contacts')
      await button(main(page), 'Add contact').click()
      const dialog = page.getByRole('dialog', { name: 'Add Contact', exact: true })
      await dialog.getByLabel('Email', { exact: true }).fill('ADA@example.com')
      await expect(dialog.getByText('This may already exist')).toBeVisible()
      await expect(dialog.getByRole('link', { name: 'Ada Lovelace' })).toHaveAttribute(
        'target',
        '_blank',
      )
      await scan(dialog, { contrast: true })
      await button(dialog, 'Add Contact').click()
      await expect(dialog).toHaveCount(0)
    },
  )

  await longStep('a record is pinned by key and stands in sidebar and search', async () => {
    await visit(page, `/app/deals/${won}`)
    await expect(button(main(page), 'Pin deal')).toBeEnabled()
    await page.keyboard.press('p')
    await expect(button(main(page), 'Unpin deal')).toBeVisible()
    await visit(page, '/app/tasks')
    await page.keyboard.press('/')
    const pinned = page.getByRole('listbox').getByRole('group', { name: 'Pinned' })
    await expect(pinned.getByRole('option')).toContainText(['Won deal'])
    await page.keyboard.press('Escape')
    await page
      .getByRole('group', { name: 'Pinned' })
      .getByRole('link', { name: 'Won deal' })
      .click()
    await expect(page.getByRole('heading', { name: 'Won deal', level: 1 })).toBeVisible()
    await button(main(page), 'Unpin deal').click()
    await expect(button(main(page), 'Pin deal')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Pinned' })).toHaveCount(0)
  })
})
