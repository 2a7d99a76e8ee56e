import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { button, edit, editButton, expectValue, region, showEmptyFields } from './record-page.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const tagsOf = (page: Page) => editButton(page, 'Tags')

async function contact({ client }: User, values: object): Promise<string> {
  const { data, error } = await client.from('contacts').insert(values).select('id').single()
  if (error) throw error
  return data.id
}

test('Tags: typed, filtered by, set for many, renamed and deleted everywhere', {
  tag: '@phone-long',
}, async ({ page, enter, step, longStep, scan, isMobile }) => {
  const user = await enter('/app/contacts')
  const ada = await contact(user, { first_name: 'Ada', tags: ['VIP'] })
  const bob = await contact(user, { first_name: 'Bob' })
  await user.client.from('deals').insert({ name: 'Renewal', tags: ['VIP'] })

  await step('suggested and typed in place; what is typed last is kept by leaving', async () => {
    await visit(page, `/app/contacts/${bob}`)
    await showEmptyFields(page, isMobile)
    await tagsOf(page).click()
    const input = page.getByRole('combobox', { name: 'Tags' })
    await expect(input).toBeFocused()
    await page.getByRole('option', { name: 'VIP' }).click()
    await page.keyboard.type('Press,Half typed')
    await page.keyboard.press('Tab')
    await expect(tagsOf(page)).toContainText('VIPPressHalf typed')
    await scan(region(page, 'Details'), { contrast: true })
    await expect
      .poll(async () => {
        const { data } = await user.client.from('contacts').select('tags').eq('id', bob).single()
        return data?.tags
      })
      .toEqual(['VIP', 'Press', 'Half typed'])
  })
  if (isMobile) {
    await step('the settings on the phone: nothing sticks out', async () => {
      await visit(page, '/app/settings/fields?record=tags')
      await expect(page.getByRole('list', { name: 'Tags' })).toContainText('VIP')
      await scan()
      await expectNoSidewaysScroll(page)
    })
    // The rest is the same on the phone.
    return
  }

  await step('in the form, saved from the field with what is typed', async () => {
    await visit(page, '/app/contacts?sort=name')
    await button(page, 'Edit Bob').click()
    const form = dialog(page, 'Edit Contact')
    const input = form.getByRole('combobox', { name: 'Tags' })
    await input.click()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('newsletter')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(form).toBeHidden()
    const { data } = await user.client.from('contacts').select('tags').eq('id', bob).single()
    expect(data?.tags).toEqual(['VIP', 'Press', 'newsletter'])
  })

  await step('a list is filtered by them, and the address tells it', async () => {
    await visit(page, '/app/contacts?tags=press')
    await expect(page.getByText('Bob', { exact: true })).toBeVisible()
    await expect(page.getByText('Ada', { exact: true })).toBeHidden()
    await visit(page, '/app/contacts')
    await page.getByRole('button', { name: /^Filter/ }).click()
    await page.getByRole('combobox', { name: 'Tags' }).click()
    await page.getByRole('option', { name: 'newsletter' }).click()
    await expect(page).toHaveURL(/tags=newsletter/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Ada', { exact: true })).toBeHidden()
  })

  await step('shown as a column, and set for many', async () => {
    await visit(page, '/app/contacts?col=tags')
    await expect(page.getByRole('row', { name: /Bob/ })).toContainText('VIPPress')
    await page.getByRole('checkbox', { name: 'Select all' }).first().check()
    await button(page, 'Tags').click()
    const form = dialog(page, 'Tag 2 contacts')
    await form.getByRole('combobox', { name: 'Tags' }).fill('Fair 2026')
    await scan(form)
    await button(form, 'Add tags').click()
    await expect(form).toBeHidden()
    await expect(page.getByRole('row', { name: /Ada/ })).toContainText('Fair 2026')
  })

  await longStep('renamed into another and deleted, on all records, with a way back', async () => {
    await visit(page, '/app/settings/fields?record=tags')
    const list = page.getByRole('list', { name: 'Tags' })
    await expect(list.getByRole('listitem').first()).toContainText('VIP2 contacts1 deal')
    await scan(page.getByRole('main'), { contrast: true })
    await button(page, 'Rename Press').click()
    const form = dialog(page, 'Rename Press')
    await form.getByRole('textbox', { name: 'Name' }).fill('vip')
    await expect(form.getByText('The tag VIP exists. The two will be merged.')).toBeVisible()
    await button(form, 'Merge tags').click()
    await expect(form).toBeHidden()
    await expect(toast(page, 'Press is now VIP')).toBeVisible()
    await button(page, 'Delete VIP').click()
    await button(page.getByRole('dialog'), 'Delete').click()
    await expect(button(page, 'Delete VIP')).toBeHidden()
    await expect
      .poll(async () => {
        const { data } = await user.client.from('contacts').select('tags').eq('id', ada).single()
        return data?.tags
      })
      .not.toContain('VIP')
    await button(toast(page, 'VIP deleted'), 'Undo').click()
    await expect(button(page, 'Delete VIP')).toBeVisible()
  })
})

test('A birthday is typed as people write it, and a task reminds of it', { tag: '@long' }, async ({
  page,
  enter,
  step,
  scan,
}) => {
  const user = await enter('/app/contacts')
  const id = await contact(user, { first_name: 'Ada', last_name: 'Lovelace' })

  await step('in place: with a year the age, without one the day', async () => {
    await visit(page, `/app/contacts/${id}`)
    await edit(page, 'Birthday', '3.5.1990')
    await expect(editButton(page, 'Birthday')).toContainText(/May 3, 1990 \(\d+\)/)
    await edit(page, 'Birthday', '3 May')
    await expectValue(page, 'Birthday', 'May 3')
  })

  await step('the reminder is a task, which is there once', async () => {
    await editButton(page, 'Birthday Reminder').click()
    await page.getByRole('menuitemradio', { name: '1 week before' }).click()
    await expect(button(page, 'Birthday of Ada Lovelace')).toBeVisible()
    await expect(editButton(page, 'Birthday Reminder')).toContainText('1 week before')
    const { data } = await user.client.from('tasks').select('title, birthday_on')
    expect(data).toMatchObject([{ title: 'Birthday of Ada Lovelace' }])
  })

  await step('in the form: another number of days, and what is no day is told', async () => {
    await visit(page, '/app/contacts')
    await button(page, 'Edit Ada Lovelace').click()
    const form = dialog(page, 'Edit Contact')
    const birthday = form.getByRole('textbox', { name: 'Birthday' })
    // What few people fill in is folded away, and open where something is in it.
    await expect(button(form, 'More fields')).toHaveAttribute('aria-expanded', 'true')
    await expect(birthday).toHaveValue('May 3')
    await birthday.fill('soon')
    await form.getByRole('combobox', { name: 'Birthday Reminder' }).fill('10')
    await button(form, 'Save Changes').click()
    await expect(
      form.getByText('Birthday must be a day, such as May 3 or May 3, 1990.'),
    ).toBeVisible()
    await birthday.fill('05/03/1990')
    await scan(form)
    await button(form, 'Save Changes').click()
    await expect(form).toBeHidden()
    await visit(page, `/app/contacts/${id}`)
    await expect(editButton(page, 'Birthday Reminder')).toContainText('10 days before')
  })
})
