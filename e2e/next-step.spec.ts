import { addDeals, button, stagesOf, storedDeals } from './deal-list.ts'
import { expect } from './fixtures.ts'
import { test, visit } from './journey.ts'

test('the next step: with a call, after a task, and the reason of a loss', async ({
  page,
  enter,
  step,
  longStep,
  scan,
}) => {
  const user = await enter('/app/tasks')
  const { data: contact } = await user.client
    .from('contacts')
    .insert({ first_name: 'Ada' })
    .select('id')
    .single()
  const { Lead = null } = await stagesOf(user)
  await addDeals(user, { name: 'Relaunch', stage_id: Lead }, { name: 'Pilot', stage_id: Lead })
  const tasks = async () => {
    const { data } = await user.client.from('tasks').select('title, completed').order('title')
    return data
  }
  const words = page.getByRole('textbox', { name: 'Next step', exact: true })

  await step('log a call with its next step: one click, the words, one Enter', async () => {
    await visit(page, `/app/contacts/${contact?.id}`)
    await button(page, 'Log call').first().click()
    await page.keyboard.type('Wants a quote')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Send the quote')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Call logged, next step added')).toBeVisible()
    await expect.poll(tasks).toEqual([{ title: 'Send the quote', completed: false }])
    await expect(page.getByText('Wants a quote', { exact: true })).toBeVisible()
  })

  await step('complete and plan the next: one click, the words, one Enter; one Undo', async () => {
    await page.getByRole('checkbox', { name: 'Complete Send the quote' }).click()
    await expect(page.getByText('Great job! Keep up the momentum!')).toBeVisible()
    await expect(words.last()).toBeFocused()
    await scan(page.getByRole('form', { name: 'Next step after Send the quote' }))
    await page.keyboard.type('Ask for an answer')
    await page.keyboard.press('Enter')
    await expect.poll(tasks).toEqual([
      { title: 'Ask for an answer', completed: false },
      { title: 'Send the quote', completed: true },
    ])
    const planned = page.getByRole('alert').filter({ hasText: /^Next step planned/ })
    await button(planned, 'Undo').click()
    await expect.poll(tasks).toEqual([{ title: 'Send the quote', completed: false }])
  })

  await longStep('a loss asks for its reason and offers those that the user keeps', async () => {
    await visit(page, '/app/deals?view=board')
    await button(page, 'More for Relaunch').click()
    await page.getByRole('menuitem', { name: 'Mark as lost' }).click()
    await button(page, 'Price').click()
    await button(page.getByRole('dialog'), 'Mark as lost').click()
    await expect
      .poll(() => storedDeals(user))
      .toMatchObject([{ stage: 'Lead' }, { stage: 'Closed Lost', lost_reason: 'Price' }])
  })

  await longStep(
    'a deal moved to Closed Lost by keyboard asks, too; Escape leaves it',
    async () => {
      await expect(page.getByRole('region', { name: 'Closed Lost', exact: true })).toBeVisible()
      await button(page, 'Move Pilot').focus()
      await page.keyboard.press('Space')
      for (let column = 0; column < 5; column += 1) await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Space')
      await expect(page.getByRole('dialog', { name: 'Mark as lost' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      const lead = page.getByRole('region', { name: 'Lead', exact: true })
      await expect(lead.getByRole('article', { name: 'Pilot', exact: true })).toBeVisible()
    },
  )

  await longStep('the form of a deal asks as well when its stage becomes Closed Lost', async () => {
    await button(page, 'More for Pilot').click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Deal' })
    await expect(form.getByLabel('Lost Reason')).toHaveCount(0)
    await form.getByRole('combobox', { name: 'Stage', exact: true }).click()
    await page.getByRole('option', { name: 'Closed Lost', exact: true }).click()
    await button(form, 'Bad timing').click()
    await expect(form.getByLabel('Lost Reason')).toHaveValue('Bad timing')
    await form.getByRole('button', { name: /^Save/ }).click()
    await expect(form).toBeHidden()
    await expect
      .poll(() => storedDeals(user))
      .toMatchObject([
        { name: 'Pilot', stage: 'Closed Lost', lost_reason: 'Bad timing' },
        { name: 'Relaunch' },
      ])
  })
})
