import type { Locator, Page } from '@playwright/test'
import type { OwnField } from '#domain/fields/own.ts'
import { expect, expectNoSidewaysScroll, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { button, edit, editButton, expectValue, region } from './record-page.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** A field is chosen from a list that opens under it. */
async function select(scope: Page | Locator, page: Page, label: string, option: string) {
  await scope.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const size = [
  { id: '~aaaaaaa', name: 'Small', color: 'blue' },
  { id: '~bbbbbbb', name: 'Large', color: 'red' },
]

type Made = Partial<OwnField> & Pick<OwnField, 'name' | 'kind'>

/** Fields that are there before the journey begins; returns their ids by their names. */
async function make({ client }: User, fields: Made[]): Promise<Record<string, string>> {
  const { data, error } = await client
    .from('fields')
    .insert(fields.map((field) => ({ record: 'contacts', ...field })))
    .select('id, name')
  if (error) throw error
  return Object.fromEntries(data.map(({ id, name }) => [name, id]))
}

async function contact({ client }: User, custom = {}): Promise<string> {
  const { data, error } = await client
    .from('contacts')
    .insert({ first_name: 'Ada', custom })
    .select('id')
    .single()
  if (error) throw error
  return data.id
}

async function customOf({ client }: User, id: string) {
  const { data } = await client.from('contacts').select('custom').eq('id', id).single()
  return data?.custom
}

test('Fields of the user’s own: made, filled, changed and deleted', async ({
  page,
  enter,
  step,
  scan,
}) => {
  const user = await enter('/app/settings')

  await step('made, renamed, reordered, hidden and deleted in Settings → Fields', async () => {
    await page.getByRole('link', { name: 'Edit fields' }).click()
    await expect(page.getByText('No custom fields for contacts yet')).toBeVisible()
    await scan(page.getByRole('main'))
    await button(page, 'Add field').click()
    const form = dialog(page, 'Add field to contacts')
    await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await button(form, 'Add field').click()
    await expect(form.getByText('Name is required.')).toBeVisible()
    await form.getByRole('textbox', { name: 'Name' }).fill('Segment')
    await select(form, page, 'Type', 'Choice')
    await button(form, 'Add option').click()
    await page.keyboard.type('Small')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Large')
    await button(form, 'Color of Large: violet').click()
    await page.getByRole('menuitemradio', { name: 'red' }).click()
    await scan(form)
    await button(form, 'Add field').click()
    await expect(form).toBeHidden()
    await expect(toast(page, 'Segment added')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Segment' })).toContainText('Large')
  })

  await step('a field that is typed and not saved is asked about', async () => {
    await button(page, 'Add field').click()
    const form = dialog(page, 'Add field to contacts')
    await form.getByRole('textbox', { name: 'Name' }).fill('Contract end')
    await page.keyboard.press('Escape')
    await button(dialog(page, 'Discard changes?'), 'Keep editing').click()
    await select(form, page, 'Type', 'Date')
    await button(form, 'Add field').click()
    await expect(form).toBeHidden()
    const names = page.getByRole('list', { name: 'Fields' }).locator('bdi')
    await expect(names).toHaveText(['Segment', 'Contract end'])
    await button(page, 'Move Contract end up').click()
    await expect(names).toHaveText(['Contract end', 'Segment'])
    await expect(button(page, 'Move Contract end down')).toBeFocused()
    await button(page, 'Edit Segment').click()
    const edited = dialog(page, 'Edit field')
    await edited.getByRole('textbox', { name: 'Name', exact: true }).fill('Tier')
    await button(edited, 'Save field').click()
    await expect(names).toHaveText(['Contract end', 'Tier'])
    await button(page, 'Hide Contract end').click()
    await expect(page.getByText('Hidden', { exact: true })).toBeVisible()
    await button(page, 'Show Contract end').click()
    await expect(page.getByText('Hidden', { exact: true })).toBeHidden()
    await scan(page.getByRole('main'))
    await test.step('dragged to another place', async () => {
      const list = page.getByRole('list', { name: 'Fields' })
      const handle = await list.getByTitle('Drag to move').last().boundingBox()
      const above = await list.boundingBox()
      if (!handle || !above) throw new Error('The list is not on the page.')
      const x = handle.x + handle.width / 2
      await page.mouse.move(x, handle.y + handle.height / 2)
      await page.mouse.down()
      await page.mouse.move(x, handle.y - 10, { steps: 4 })
      await page.mouse.move(x, above.y + 4, { steps: 6 })
      // The list shows where it would fall before it is let go.
      await expect(list.locator('li').first()).toHaveAttribute('data-dnd-dragging', 'true')
      await page.mouse.up()
      await expect(names).toHaveText(['Tier', 'Contract end'])
      await expect
        .poll(async () => {
          const { data } = await user.client.from('fields').select('name').order('position')
          return data?.map(({ name }) => name)
        })
        .toEqual(['Tier', 'Contract end'])
    })
  })

  const id = await contact(user)

  await step(
    'form: own fields come after the others, and one that is missing is added there',
    async () => {
      await visit(page, '/app/contacts')
      await page.getByRole('button', { name: 'Edit Ada' }).first().click()
      const form = dialog(page, 'Edit Contact')
      await select(form, page, 'Tier', 'Large')
      await form.getByLabel('Contract end').fill('2027-03-31')
      await button(form, 'Add field').click()
      const made = dialog(page, 'Add field to contacts')
      await made.getByRole('textbox', { name: 'Name' }).fill('Budget year')
      await select(made, page, 'Type', 'Number')
      await button(made, 'Add field').click()
      await expect(made).toBeHidden()
      // What was typed before is still there.
      await expect(form.getByLabel('Contract end')).toHaveValue('2027-03-31')
      await form.getByRole('textbox', { name: 'Budget year' }).fill('many')
      await button(form, 'Save Changes').click()
      await expect(form.getByText('Budget year must be a number.')).toBeVisible()
      await form.getByRole('textbox', { name: 'Budget year' }).fill('2027')
      await scan(form)
      await button(form, 'Save Changes').click()
      await expect(form).toBeHidden()
      expect(Object.values((await customOf(user, id)) as object).toSorted()).toEqual(
        [2027, '2027-03-31', expect.stringMatching(/^~/)].toSorted(),
      )
    },
  )

  await step('details: each is edited where it stands', async () => {
    await visit(page, `/app/contacts/${id}`)
    await expectValue(page, 'Contract end', 'Mar 31, 2027')
    await expectValue(page, 'Tier', 'Large')
    await editButton(page, 'Tier').click()
    await page.getByRole('menuitemradio', { name: 'Small' }).click()
    await expectValue(page, 'Tier', 'Small')
    await edit(page, 'Budget year', '')
    await expectValue(page, 'Budget year', '')
    await expect.poll(async () => Object.keys((await customOf(user, id)) as object)).toHaveLength(2)
    await button(region(page, 'Details'), 'Add field').click()
    const made = dialog(page, 'Add field to contacts')
    await made.getByRole('textbox', { name: 'Name' }).fill('Topics')
    await select(made, page, 'Type', 'Multiple choice')
    await button(made, 'Add option').click()
    await page.keyboard.type('Price')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Support')
    await button(made, 'Add field').click()
    await expect(made).toBeHidden()
    await editButton(page, 'Topics').click()
    await page.getByRole('menuitemcheckbox', { name: 'Support' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Price' }).click()
    await page.keyboard.press('Escape')
    await expectValue(page, 'Topics', 'PriceSupport')
    await expect.poll(async () => Object.keys((await customOf(user, id)) as object)).toHaveLength(3)
    await scan(region(page, 'Details'), { contrast: true })
  })

  await step(
    'deleting a field asks, says how many records hold a value, and can be undone',
    async () => {
      await visit(page, '/app/settings/fields')
      await button(page, 'Edit Tier').click()
      const edited = dialog(page, 'Edit field')
      await button(edited, 'Remove Small').click()
      await button(edited, 'Save field').click()
      const remove = dialog(page, 'Remove this option?')
      await expect(remove).toContainText('“Small” (1 contact)')
      await button(remove, 'Cancel').click()
      await button(edited, 'Cancel').click()
      await button(dialog(page, 'Discard changes?'), 'Discard').click()
      await button(page, 'Delete Tier').click()
      const question = dialog(page, 'Delete Tier?')
      await expect(question).toContainText('1 contact has a value for it')
      await button(question, 'Delete').click()
      await expect(page.getByRole('list', { name: 'Fields' })).not.toContainText('Tier')
      await toast(page, 'Tier deleted').getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByRole('list', { name: 'Fields' })).toContainText('Tier')
      await expect
        .poll(async () => Object.keys((await customOf(user, id)) as object))
        .toHaveLength(3)
    },
  )
})

test('lists: columns, sort, filter with chips, saved in the address, and many at once', {
  tag: '@long',
}, async ({ page, signUp, begin, step, longStep }) => {
  const user = await signUp()
  const ids = await make(user, [
    { name: 'Size', kind: 'choice', options: size },
    { name: 'Seats', kind: 'number' },
  ])
  const [sizeId = '', seats = ''] = ['Size', 'Seats'].map((name) => ids[name])
  const { error } = await user.client.from('contacts').insert([
    { first_name: 'Ada', custom: { [sizeId]: '~aaaaaaa', [seats]: 9 } },
    { first_name: 'Bob', custom: { [sizeId]: '~bbbbbbb', [seats]: 10 } },
    { first_name: 'Cleo', custom: {} },
  ])
  expect(error).toBeNull()
  const names = page.locator('[data-row-link]')

  await step('a column is chosen like others, and sorts', async () => {
    await begin(user, '/app/contacts')
    await button(page, 'View settings').click()
    await page.getByRole('checkbox', { name: 'Seats' }).check()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Seats' }).getByRole('button').click()
    await expect(names).toHaveText(['Ada', 'Bob', 'Cleo'])
    await page.getByRole('columnheader', { name: 'Seats' }).getByRole('button').click()
    await expect(names).toHaveText(['Bob', 'Ada', 'Cleo'])
  })

  await step('a filter has a chip, and the address keeps all of it', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await select(page, page, 'Custom fields', 'Size')
    await page.getByRole('combobox', { name: 'Size', exact: true }).click()
    await page.getByRole('option', { name: 'Large' }).click()
    await expect(names).toHaveText(['Bob'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(button(page, 'Remove filter Size Large')).toBeVisible()
    await page.reload()
    await expect(names).toHaveText(['Bob'])
    await expect(page.getByRole('columnheader', { name: 'Seats' })).toBeVisible()
    await button(page, 'Remove filter Size Large').click()
    await expect(names).toHaveText(['Bob', 'Ada', 'Cleo'])
    await visit(page, `/app/contacts?field=${sizeId}.is.~zzzzzzz`)
    await expect(page.getByText('Part of this link wasn’t recognized')).toBeVisible()
  })

  await longStep('one field of many records at once, and back', async () => {
    await visit(page, `/app/contacts?col=field:${sizeId}&sort=name`)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await button(page, 'Set field').click()
    const form = dialog(page, 'Set field for 3 contacts')
    await select(form, page, 'Value', 'Small')
    await button(form, 'Set field').click()
    await expect(toast(page, '3 contacts updated successfully')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Small' })).toHaveCount(3)
    await toast(page, '3 contacts updated').getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('cell', { name: 'Small' })).toHaveCount(1)
  })

  const addMissing = async (name: string) => {
    const made = dialog(page, 'Add field to contacts')
    await made.getByRole('textbox', { name: 'Name' }).fill(name)
    await button(made, 'Add field').click()
    await expect(made).toBeHidden()
  }

  await step(
    'a field that is missing among the columns is added at their end, by keys',
    async () => {
      await visit(page, '/app/contacts')
      const add = button(page.getByRole('columnheader', { name: 'Actions' }), 'Add field')
      await add.press('Enter')
      await addMissing('Birthday gift')
      await expect(page.getByRole('columnheader', { name: 'Birthday gift' })).toBeInViewport()
      await expect(add).toBeFocused()
    },
  )

  await longStep('and in the view settings', async () => {
    await button(page, 'View settings').click()
    await button(dialog(page, 'View settings'), 'Add field').click()
    await addMissing('Gift sent')
    await expect(page.getByRole('columnheader', { name: 'Gift sent' })).toBeVisible()
  })
})

test('Own fields of companies and deals: made on the page, filtered, merged and exported', {
  tag: '@long',
}, async ({ page, enter, step, scan }) => {
  const user = await enter('/app/companies')
  const one = async (table: 'companies' | 'deals', values: object) => {
    const { data, error } = await user.client
      .from(table)
      .insert(values as never)
      .select('id')
      .single()
    if (error) throw error
    return data.id
  }
  const companies = [await one('companies', { name: 'Acme', tags: ['Key'] })]
  companies.push(await one('companies', { name: 'Acme Inc', tags: ['Press'] }))
  const deal = await one('deals', { name: 'Renewal' })
  await one('deals', { name: 'Other' })
  const link = (name: string) => page.getByRole('link', { name, exact: true })

  /** Makes a field where the page misses one, fills it in there, and filters the list by it. */
  async function filled(record: 'companies' | 'deals', id: string, values: string[]) {
    await visit(page, `/app/${record}/${id}`)
    await button(region(page, 'Details'), 'Add field').click()
    const made = dialog(page, `Add field to ${record}`)
    await made.getByRole('textbox', { name: 'Name' }).fill('Seats a year')
    await select(made, page, 'Type', 'Number')
    await button(made, 'Add field').click()
    await expect(made).toBeHidden()
    for (const value of values) await edit(page, 'Seats a year', value)
    await expectValue(page, 'Seats a year', values.at(-1) ?? '')
    await visit(page, `/app/${record}`)
    await page.getByRole('button', { name: /^Filter/ }).click()
    await select(page, page, 'Custom fields', 'Seats a year')
    await page.getByRole('textbox', { name: 'Seats a year from' }).fill('27')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
  }

  await step('of a company', async () => {
    await filled('companies', companies[0] ?? '', ['26', '27'])
    await expect(link('Acme')).toBeVisible()
    await expect(link('Acme Inc')).toHaveCount(0)
  })

  await step('of a deal', async () => {
    await filled('deals', deal, ['28'])
    await expect(link('Renewal')).toBeVisible()
    await expect(link('Other')).toHaveCount(0)
  })

  await step('a merge asks about them, and keeps all tags', async () => {
    const { data } = await user.client
      .from('fields')
      .select('id')
      .eq('record', 'companies')
      .single()
    await user.client
      .from('companies')
      .update({ custom: { [data?.id ?? '']: 30 } })
      .eq('id', companies[1] ?? '')
    await visit(page, '/app/settings/duplicates?kind=companies')
    await button(page.getByRole('article'), 'Merge').click()
    const merge = dialog(page, 'Merge companies')
    await merge
      .getByRole('radiogroup', { name: 'Seats a year' })
      .getByRole('radio', { name: '30', exact: true })
      .check()
    await expect(merge.getByText('Key', { exact: true })).toBeVisible()
    await expect(merge.getByText('Press', { exact: true })).toBeVisible()
    await scan(merge)
    await button(merge, 'Merge').click()
    await expect(merge).toBeHidden()
    const { data: kept } = await user.client.from('companies').select('tags, custom').single()
    expect(kept?.tags.toSorted()).toEqual(['Key', 'Press'])
    expect(Object.values(Object(kept?.custom))).toEqual([30])
  })

  await step('a file of all fields has them', async () => {
    await visit(page, '/app/companies')
    await button(page, 'Import / Export').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export all fields' }).click(),
    ])
    const stream = await file.createReadStream()
    const text = Buffer.concat(await stream.toArray()).toString()
    expect(text).toContain('Seats a year')
    expect(text).toContain('30')
  })
})

test('forty fields: form, page and settings hold them', { tag: '@long' }, async ({
  page,
  signUp,
  begin,
  step,
  scan,
}) => {
  const user = await signUp()
  const kinds = ['text', 'number', 'choice', 'yes/no', 'day', 'several choices', 'money'] as const
  const ids = await make(
    user,
    Array.from({ length: 40 }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? 'text'
      const isChoice = kind === 'choice' || kind === 'several choices'
      return {
        name: `Field ${index + 1}`,
        kind,
        options: isChoice ? size : [],
        position: index + 1,
      }
    }),
  )
  const id = await contact(user, {
    [ids['Field 1'] ?? '']:
      'A text that is rather long and does not fit into one line of the details',
    [ids['Field 3'] ?? '']: '~bbbbbbb',
    [ids['Field 6'] ?? '']: ['~aaaaaaa', '~bbbbbbb'],
  })
  await step('the page of the record', async () => {
    await begin(user, `/app/contacts/${id}`)
    await expectValue(page, 'Field 6', 'SmallLarge')
    await expectNoSidewaysScroll(page)
  })
  await step('the form, whose foot stays in sight', async () => {
    await visit(page, '/app/contacts')
    await page.getByRole('button', { name: 'Edit Ada' }).first().click()
    const form = dialog(page, 'Edit Contact')
    await form.getByRole('textbox', { name: 'Field 36' }).fill('Typed')
    await expect(button(form, 'Save Changes')).toBeInViewport()
    await button(form, 'Save Changes').click()
    await expect(form).toBeHidden()
    await expect.poll(() => customOf(user, id)).toMatchObject({ [ids['Field 36'] ?? '']: 'Typed' })
  })
  await step('the settings', async () => {
    await visit(page, '/app/settings/fields')
    await expect(page.getByRole('list', { name: 'Fields' }).locator('bdi')).toHaveCount(40)
    await expectNoSidewaysScroll(page)
    await scan()
  })
})
