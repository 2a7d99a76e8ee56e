import type { Page } from '@playwright/test'
import type { Database } from '#lib/database.types.ts'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { expect, expectNoSidewaysScroll, failedRequests, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import {
  button,
  composer,
  edit,
  editButton,
  entry,
  expectChange,
  expectRefused,
  expectValue,
  input,
  region,
  showEmptyFields,
  write,
} from './record-page.ts'
import { askedFor, fail, hold, settled } from './requests.ts'
import { addRow } from './rows.ts'

type NewDeal = Database['public']['Tables']['deals']['Insert']

const rest = '**/rest/v1/deals?*'
const order: NewDeal = { name: 'Order', value: 1234.56, expected_close_date: '2199-12-31' }

const add = (user: User, deal: NewDeal) => addRow(user, 'deals', deal)

/** The id of a stage of the pipeline that every account begins with. */
async function stage(user: User, name: string): Promise<string> {
  const { data } = await user.client.from('pipeline_stages').select('id').eq('name', name).single()
  return data?.id ?? ''
}

async function stored(user: User, id: string) {
  const { data } = await user.client
    .from('deals')
    .select('*, stage:pipeline_stages(name)')
    .eq('id', id)
    .single()
  return data
}

const stageOf = async (user: User, id: string) => (await stored(user, id))?.stage?.name ?? null

/** Opens the page of a deal of the test's own, in the stage Qualified. */
const withDeal = test.extend<{
  open: (
    deal?: NewDeal,
    prepare?: (user: User, id: string) => Promise<void>,
  ) => Promise<{ user: User; id: string }>
}>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (deal = order, prepare) => {
      const user = await signUp()
      const id = await add(user, { stage_id: await stage(user, 'Qualified'), ...deal })
      await prepare?.(user, id)
      await begin(user, `/app/deals/${id}`)
      await expect(heading(page, String(deal.name))).toBeVisible()
      await expect(region(page, 'Details')).toBeVisible()
      return { user, id }
    })
  },
})

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const details = (page: Page) => region(page, 'Details')
const progress = (page: Page) => region(page, 'Progress')
const steps = (page: Page) => progress(page).getByRole('list', { name: 'Stages' })
const here = (page: Page) => steps(page).locator('[aria-current=step]')
const toast = (page: Page, text: string) => page.getByText(text, { exact: true })
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

test.use({ expectedErrors: failedRequests })

withDeal('the record page of a deal', async ({ page, signUp, begin, step, longStep }) => {
  const user = await signUp()
  const company_id = await addRow(user, 'companies', { name: 'Acme' })
  const lead = await stage(user, 'Lead')
  const ids: string[] = []
  for (const name of ['Ants', 'Bees', 'Cows']) ids.push(await add(user, { name, value: 5 }))
  const id = await add(user, { ...order, company_id })
  const theirs = await add(await signUp(), { name: 'Secret' })

  await step(
    "'Loading deal...', then the deal: its name in the tab, its money in USD without decimals",
    async () => {
      const release = await hold(page, '**/rest/v1/rpc/deal_record')
      // The shell around it asks for what it shows, once, on whatever page.
      const asked = askedFor(page, /deal|pipeline|(?<!kept_)record/)
      await begin(user, `/app/deals/${id}`)
      await expect(page.getByText('Loading deal...', { exact: true })).toBeVisible()
      release()
      await expect(heading(page, 'Order')).toBeVisible()
      await expect(page.getByText('Loading deal...', { exact: true })).toBeHidden()
      await expect(page).toHaveTitle('Order · Solo CRM')
      await expect(page.getByText('$1,235 · Acme', { exact: true })).toBeVisible()
      for (const [label, value] of [
        ['Deal Name', 'Order'],
        ['Value', '$1,235'],
        ['Expected Close Date', 'Dec 31, 2199'],
        ['Pipeline', 'Sales Pipeline'],
        ['Stage', 'No Stage'],
      ] as const) {
        await expectValue(page, label, value)
      }
      await expect(here(page)).toHaveCount(0)
      await settled(page)
      await expect
        .poll(asked)
        .toEqual([
          'rpc/deal_neighbours',
          'rpc/deal_record',
          'rpc/pipeline_list',
          'rpc/record_files',
          'rpc/record_timeline',
        ])
    },
  )

  await longStep(
    'previous and next lead through the list one came from, and back to it or to the board',
    async () => {
      await visit(page, `/app/deals/${ids[0]}?sort=name&min=2&max=10`)
      await expect(page.getByLabel('Previous deal', { exact: true })).toBeDisabled()
      await page.getByLabel('Next deal', { exact: true }).click()
      await expect(heading(page, 'Bees')).toBeVisible()
      // Changed so that it is not in the list any more, it keeps its place.
      await edit(page, 'Value', '1')
      await expect(toast(page, 'Deal updated successfully')).toBeVisible()
      await page.getByLabel('Next deal', { exact: true }).click()
      await expect(heading(page, 'Cows')).toBeVisible()
      await expect(page.getByLabel('Next deal', { exact: true })).toBeDisabled()
      const back = page.getByRole('main').getByRole('link', { name: 'Deals', exact: true })
      await back.click()
      await expect(page).toHaveURL('/app/deals?sort=name&min=2&max=10')
      // On the board the stage is no filter.
      await visit(page, `/app/deals/${ids[0]}?view=board&stage=${lead}`)
      await expect(page.getByLabel('Next deal', { exact: true })).toBeDisabled()
      await expect(page.getByLabel('Previous deal', { exact: true })).toBeEnabled()
      await expect(back).toHaveAttribute('href', `/app/deals?view=board&stage=${lead}`)
    },
  )

  await step('an id that is not the user’s shows "not found" with the way back', async () => {
    await visit(page, `/app/deals/${theirs}?sort=name`)
    await expect(page.getByRole('heading', { name: 'Deal not found' })).toBeVisible()
    await expect(page.getByText('Secret')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to deals' }).click()
    await expect(page).toHaveURL('/app/deals?sort=name')
  })
})

withDeal('details in place, stage path, won and lost', async ({ page, open, step, longStep }) => {
  let { user, id } = await open(order, async (owner) => {
    const pipeline_id = await addRow(owner, 'pipelines', { name: 'Partners' })
    await owner.client
      .from('pipeline_stages')
      .insert(['Intro', 'Signed'].map((name, place) => ({ pipeline_id, name, order: place })))
  })

  await longStep(
    'a value that is none and half a date are refused in words, and the typed text stays',
    async () => {
      // Which values and days are refused: domain/deal.test.ts.
      await expectRefused(page, [['Value', 'abc', 'Value must be a number.']])
      await editButton(page, 'Expected Close Date').click()
      await input(page, 'Expected Close Date').press('Backspace')
      await input(page, 'Expected Close Date').press('Enter')
      await expect(input(page, 'Expected Close Date')).toHaveAccessibleDescription(
        'Complete it or clear it.',
      )
      await expect.poll(() => stored(user, id)).toMatchObject(order)
      await input(page, 'Expected Close Date').press('Escape')
    },
  )

  await longStep(
    "every field is saved where it stands, 'Deal updated successfully', and the timeline tells it in words",
    async () => {
      await edit(page, 'Deal Name', 'Big order')
      await expect(toast(page, 'Deal updated successfully')).toBeVisible()
      await expect(heading(page, 'Big order')).toBeVisible()
      await edit(page, 'Value', '1.250,50 €')
      await expectValue(page, 'Value', '$1,251')
      await edit(page, 'Expected Close Date', '2024-02-29')
      await expectValue(page, 'Expected Close Date', 'Feb 29, 2024')
      const day = details(page).getByText('Feb 29, 2024', { exact: true })
      const red = await day.evaluate((node) => getComputedStyle(node).color)
      await editButton(page, 'Stage').click()
      await page.getByRole('menuitemradio', { name: 'Negotiation', exact: true }).click()
      await expect(here(page)).toHaveText('Negotiation')
      await expect(entry(page, 'Moved from Qualified to Negotiation')).toBeVisible()
      await expectChange(page, 'Value changed from $1,234.56 to $1,250.50')
      await expectChange(page, 'Expected close changed from Dec 31, 2199 to Feb 29, 2024')
      await expectChange(page, 'Name changed from Order to Big order')
      // A day that has passed is told by its colour too, until the deal is closed.
      await button(progress(page), 'Mark as won').click()
      await expect(day).not.toHaveCSS('color', red)
      await edit(page, 'Expected Close Date', '')
      await expectValue(page, 'Expected Close Date', 'Not set')
      await edit(page, 'Value', '')
      await expectValue(page, 'Value', '$0')
      await expect
        .poll(() => stored(user, id))
        .toMatchObject({ name: 'Big order', value: 0, expected_close_date: null })
    },
  )

  await longStep('in another pipeline the deal has a stage of that one', async () => {
    await editButton(page, 'Pipeline').click()
    await page.getByRole('menuitemradio', { name: 'Partners', exact: true }).click()
    await expect(steps(page).getByRole('listitem')).toHaveText(['Intro', 'Signed'])
    await expect(here(page)).toHaveText('Intro')
    await expectValue(page, 'Stage', 'Intro')
    await expectChange(page, 'Pipeline changed from Sales Pipeline to Partners')
    await expect.poll(() => stored(user, id)).toMatchObject({ stage: { name: 'Intro' } })
  })

  await step('a press moves the deal there, by keyboard too; Undo brings it back', async () => {
    ;({ user, id } = await open())
    const all = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won']
    await expect(steps(page).getByRole('listitem')).toHaveText(all)
    await expect(here(page)).toHaveText('Qualified')
    const release = await hold(page, rest)
    await button(steps(page), 'Move to Negotiation').click()
    // It shows at once.
    await expect(here(page)).toHaveText('Negotiation')
    await expectValue(page, 'Stage', 'Negotiation')
    release()
    await expect(toast(page, 'Moved to Negotiation')).toBeVisible()
    await expect(entry(page, 'Moved from Qualified to Negotiation')).toBeVisible()
    await button(page, 'Undo').click()
    await expect(toast(page, 'Undone')).toBeVisible()
    await expect(here(page)).toHaveText('Qualified')
    await expect(entry(page, 'Undid: Moved from Qualified to Negotiation')).toBeVisible()
    await button(steps(page), 'Move to Lead').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(here(page)).toHaveText('Proposal')
    // The keyboard keeps its place.
    await expect(here(page)).toBeFocused()
    await expect.poll(() => stageOf(user, id)).toBe('Proposal')
    await settled(page)
  })

  await step(
    "'Mark as won', then 'Mark as lost' with an optional reason, and open again by another stage",
    async () => {
      await button(progress(page), 'Mark as won').click()
      await expect(here(page)).toHaveText('Closed Won')
      await expect(progress(page)).toContainText(/Won on \w{3} \d+, \d{4}/)
      await expect(button(progress(page), 'Mark as won')).toHaveCount(0)
      await expect(entry(page, 'Marked as won')).toBeVisible()
      await button(progress(page), 'Mark as lost').click()
      const question = dialog(page, 'Mark as lost')
      await expect(question.getByText('Order', { exact: true })).toBeVisible()
      await question.getByRole('textbox', { name: 'Reason' }).fill('Too expensive')
      await button(question, 'Mark as lost').click()
      // The pipeline had no such stage.
      await expect(here(page)).toHaveText('Closed Lost')
      await expect(progress(page)).toContainText(/Lost on \w{3} \d+, \d{4}:\s*Too expensive/)
      await expect(entry(page, 'Marked as lost: Too expensive')).toBeVisible()
      await editButton(page, 'Lost Reason').click()
      await input(page, 'Lost Reason').fill('Too late')
      await input(page, 'Lost Reason').press('Control+Enter')
      await expect(progress(page)).toContainText('Too late')
      await button(steps(page), 'Move to Proposal').click()
      await expect(here(page)).toHaveText('Proposal')
      await expect(progress(page)).not.toContainText('Lost on')
      await expect(editButton(page, 'Lost Reason')).toHaveCount(0)
      await expect(entry(page, 'Moved from Closed Lost to Proposal')).toBeVisible()
      await expect
        .poll(() => stored(user, id))
        .toMatchObject({ closed_at: null, lost_reason: null })
      // The step asks as the button does, and no reason is needed.
      await button(steps(page), 'Move to Closed Lost').click()
      await button(question, 'Mark as lost').click()
      await expect(here(page)).toHaveText('Closed Lost')
      await expect.poll(() => stageOf(user, id)).toBe('Closed Lost')
    },
  )
})

withDeal(
  'two windows, linked records, notes, tasks, other pages, and deleting',
  { tag: '@long' },
  async ({ page, open, step, longStep }) => {
    let { user, id } = await open()

    await longStep(
      'a stage deleted and a deal moved in another window are said in words, and nothing changes',
      async () => {
        await expect(button(steps(page), 'Move to Proposal')).toBeVisible()
        await user.client.from('pipeline_stages').delete().eq('name', 'Proposal')
        await button(steps(page), 'Move to Proposal').click()
        await expectToast(page, 'Error', 'Failed to update deal: A linked record no longer exists.')
        await expect(here(page)).toHaveText('Qualified')
        await expect(button(steps(page), 'Move to Proposal')).toHaveCount(0)
        await expect.poll(() => stageOf(user, id)).toBe('Qualified')
        const lead = await stage(user, 'Lead')
        await user.client.from('deals').update({ stage_id: lead }).eq('id', id)
        await button(steps(page), 'Move to Negotiation').click()
        await expectToast(
          page,
          'Error',
          'Failed to update deal: It was moved in another window. Choose again if you still want to move it.',
        )
        await expect(here(page)).toHaveText('Lead')
        await expect.poll(() => stageOf(user, id)).toBe('Lead')
      },
    )

    await longStep('a deal deleted in another window is said in words', async () => {
      await user.client.from('deals').delete().eq('id', id)
      await edit(page, 'Value', '7')
      await expectToast(page, 'Error', 'Failed to update deal: This record no longer exists.')
      await expect(page.getByText('This deal has been deleted')).toBeVisible()
      await expect(input(page, 'Value')).toHaveValue('7')
      await expect(button(progress(page), 'Mark as won')).toBeDisabled()
      await expect(button(steps(page), 'Move to Qualified')).toBeDisabled()
    })

    await longStep(
      'both are chosen, opened and taken away; contact choices follow the company, changing it clears the contact',
      async () => {
        ;({ user, id } = await open(order, async (owner) => {
          const acme = await addRow(owner, 'companies', { name: 'Acme' })
          await addRow(owner, 'contacts', { first_name: 'Ada', company_id: acme })
          const zeta = await addRow(owner, 'companies', { name: 'Zeta' })
          await addRow(owner, 'contacts', { first_name: 'Zoe', company_id: zeta })
        }))
        const link = (name: string) => details(page).getByRole('link', { name, exact: true })
        const option = (name: string) => page.getByRole('option', { name, exact: true })
        await button(details(page), 'Add company').click()
        await option('Acme').click()
        await expect(link('Acme')).toBeVisible()
        await button(details(page), 'Add contact').click()
        await expect(option('Ada')).toBeVisible()
        await expect(option('Zoe')).toHaveCount(0)
        await option('Ada').click()
        await expect(link('Ada')).toBeVisible()
        await expectChange(page, 'Contact set to Ada')
        await link('Ada').click()
        await expect(heading(page, 'Ada')).toBeVisible()
        await expect(region(page, 'Deals').getByRole('link')).toHaveText(['Order'])
        await page.goBack()
        await link('Acme').hover()
        await editButton(page, 'Company').click()
        await option('Zeta').click()
        await expect(link('Zeta')).toBeVisible()
        await expect(button(details(page), 'Add contact')).toBeVisible()
        await expectChange(page, 'Contact removed (was Ada)')
        await expect.poll(async () => (await stored(user, id))?.contact_id).toBeNull()
        await button(details(page), 'Add contact').click()
        await option('Zoe').click()
        await link('Zoe').hover()
        await editButton(page, 'Contact').click()
        await option('No contact').click()
        await expect(button(details(page), 'Add contact')).toBeFocused()
        await link('Zeta').hover()
        await editButton(page, 'Company').click()
        await option('No company').click()
        await expect(button(details(page), 'Add company')).toBeVisible()
        await expect
          .poll(() => stored(user, id))
          .toMatchObject({ company_id: null, contact_id: null })
      },
    )

    await step('notes, calls and meetings, and tasks: a task’s deal link leads here', async () => {
      await write(page, 'Wants a discount')
      await expect(entry(page, 'Wants a discount')).toBeVisible()
      await composer(page).getByText('Call', { exact: true }).click()
      await expect(composer(page).getByText('Outcome', { exact: true })).toBeVisible()
      await button(region(page, 'Tasks'), 'Add task').click()
      const form = dialog(page, 'Create New Task')
      await form.getByRole('textbox', { name: /^Title/ }).fill('Send offer')
      await button(form, 'Create New Task').click()
      await expect(region(page, 'Tasks')).toContainText('Send offer')
      await expectChange(page, 'Task “Send offer” added')
      await page.getByRole('navigation').getByRole('link', { name: 'Tasks', exact: true }).click()
      await page.getByRole('main').getByRole('link', { name: 'Order', exact: true }).click()
      await expect(heading(page, 'Order')).toBeVisible()
    })

    await longStep(
      'contact and company pages show their deals, with add; a past expected close is red',
      async () => {
        let contact = ''
        let company = ''
        ;({ user, id } = await open(
          { ...order, expected_close_date: '2024-02-29' },
          async (owner, deal_id) => {
            company = await addRow(owner, 'companies', { name: 'Acme' })
            contact = await addRow(owner, 'contacts', { first_name: 'Ada', company_id: company })
            await owner.client
              .from('deals')
              .update({ contact_id: contact, company_id: company })
              .eq('id', deal_id)
            await owner.client.from('notes').insert({ body: 'Likes tea', deal_id })
          },
        ))
        const deals = region(page, 'Deals')
        await details(page).getByRole('link', { name: 'Ada', exact: true }).click()
        await expect(page).toHaveURL(`/app/contacts/${contact}`)
        await expect(deals).toContainText('$1,235 · closes Feb 29, 2024')
        await expect(deals).toContainText('Qualified')
        const close = deals.getByText('closes Feb 29, 2024')
        const money = deals.getByText('$1,235')
        const color = (node: Element) => getComputedStyle(node).color
        expect(await close.evaluate(color)).not.toBe(await money.evaluate(color))
        await button(deals, 'Add deal').click()
        const form = dialog(page, 'Create Deal')
        await expect(form.getByRole('combobox', { name: 'Company' })).toHaveValue('Acme')
        await expect(form.getByRole('combobox', { name: 'Contact' })).toHaveValue('Ada')
        await form.getByRole('textbox', { name: 'Deal Name' }).fill('Second')
        await button(form, 'Create Deal').click()
        await expect(deals.getByRole('link')).toHaveText(['Second', 'Order'])
        await details(page).getByRole('link', { name: 'Acme', exact: true }).click()
        await expect(page).toHaveURL(`/app/companies/${company}`)
        await expect(deals.getByRole('link')).toHaveText(['Second', 'Order'])
        await button(deals, 'Add deal').click()
        await expect(form.getByRole('combobox', { name: 'Company' })).toHaveValue('Acme')
        await button(form, 'Cancel').click()
        await deals.getByRole('link', { name: 'Order', exact: true }).click()
        await expect(heading(page, 'Order')).toBeVisible()
        await page.getByLabel('Previous deal', { exact: true }).click()
        await expect(heading(page, 'Second')).toBeVisible()
      },
    )

    await longStep(
      "deleting asks, goes back to the list, 'Deal deleted successfully', and Undo brings all back",
      async () => {
        await page.getByLabel('Next deal', { exact: true }).click()
        await expect(heading(page, 'Order')).toBeVisible()
        await button(page, 'Delete deal').click()
        const question = dialog(page, 'Delete Order?')
        await expect(question).toContainText('Tasks are kept but unlinked.')
        await button(question, 'Delete').click()
        await expect(page).toHaveURL(/\/app\/deals\?company=/)
        await expect(toast(page, 'Deal deleted successfully')).toBeVisible()
        await expect.poll(() => stored(user, id)).toBeNull()
        await button(page, 'Undo').click()
        await expect(toast(page, 'Undone')).toBeVisible()
        await page.getByRole('link', { name: 'Order', exact: true }).click()
        await expect(entry(page, 'Likes tea')).toBeVisible()
        await expect(entry(page, 'Undid: Deleted')).toBeVisible()
      },
    )
  },
)

/** Something of everything that a page can show. */
async function fill(user: User, id: string): Promise<void> {
  const company_id = await addRow(user, 'companies', { name: 'Acme' })
  const contact_id = await addRow(user, 'contacts', { first_name: 'Ada', company_id: company_id })
  await user.client.from('deals').update({ company_id, contact_id }).eq('id', id)
  await user.client.from('notes').insert({ kind: 'call', outcome: 'Left a message', deal_id: id })
  const filter = { ids: [id] }
  const { error } = await user.client.rpc('close_deals', {
    filter,
    outcome: 'lost',
    reason: 'Too expensive',
  })
  expect(error).toBeNull()
}

withDeal(
  'the page is accessible with everything open, light and dark',
  { tag: '@long' },
  async ({ page, open, scan }) => {
    await open({ ...order, expected_close_date: '2024-02-29' }, async (user, id) => {
      await fill(user, id)
      await user.client.from('tasks').insert({ title: 'Send offer', deal_id: id })
    })
    await expect(entry(page, 'Left a message')).toBeVisible()
    await expect(here(page)).toHaveText('Closed Lost')
    await scan()
    await button(steps(page), 'Move to Proposal').click()
    await expect(here(page)).toHaveText('Proposal')
    await edit(page, 'Value', 'abc')
    await expect(input(page, 'Value')).toHaveAttribute('aria-invalid', 'true')
    await editButton(page, 'Stage').click()
    await expect(page.getByRole('menuitemradio', { name: 'Closed Won', exact: true })).toBeVisible()
    await scan(page.getByRole('menu'))
    await page.keyboard.press('Escape')
    await button(details(page), 'Discard').click()
    await details(page).getByRole('link', { name: 'Ada' }).hover()
    await editButton(page, 'Contact').click()
    await expect(page.getByRole('option', { name: 'No contact' })).toBeVisible()
    await scan(page.getByRole('listbox'))
    await scan(details(page))
    await page.keyboard.press('Escape')
    await button(progress(page), 'Mark as lost').click()
    await expect(dialog(page, 'Mark as lost')).toBeVisible()
    await scan(dialog(page, 'Mark as lost'), { contrast: true })
    await page.keyboard.press('Escape')
    await visit(page, '/app/deals/nope')
    await expect(page.getByRole('heading', { name: 'Deal not found' })).toBeVisible()
    await scan(page.getByRole('main'))
  },
)

withDeal(
  'nothing sticks out on the narrowest phone: the path of twelve stages scrolls to where the deal is',
  { tag: ['@phone', '@long'] },
  async ({ page, open, scan }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    const word = 'x'.repeat(200)
    await open({ name: word, value: 999_999_999_999 }, async (user, id) => {
      const { data } = await user.client.from('pipelines').select('id').single()
      const pipeline_id = data?.id ?? ''
      const names = [...Array(6).keys()].map((place) => `Step ${place}`)
      const rows = [...names, word].map((name, place) => ({ pipeline_id, name, order: 10 + place }))
      await user.client.from('pipeline_stages').insert(rows)
      await fill(user, id)
      const stage_id = await stage(user, 'Step 5')
      await user.client.from('deals').update({ stage_id }).eq('id', id)
    })
    await expect(steps(page).getByRole('listitem')).toHaveCount(13)
    await expect(here(page)).toBeInViewport({ ratio: 1 })
    await expect(entry(page, 'Created')).toHaveCount(1)
    await expectNoSidewaysScroll(page)
    await scan()
    await showEmptyFields(page, true)
    await editButton(page, 'Expected Close Date').click()
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')
    await edit(page, 'Value', '1.250,50 €')
    await expectValue(page, 'Value', '$1,251')
    await editButton(page, 'Stage').click()
    await expectNoSidewaysScroll(page)
    await page.getByRole('menuitemradio', { name: 'Negotiation', exact: true }).click()
    await expect(here(page)).toHaveText('Negotiation')
    await expect(entry(page, 'Moved from Step 5 to Negotiation')).toBeVisible()
  },
)

withDeal(
  'every enabled control on the page does something, without a script error',
  async ({ page, open }) => {
    test.setTimeout(240_000) // some thirty controls, each on a fresh page
    const { id } = await open(order, fill)
    // What is deleted, closed or moved must be as it was for the next.
    const pretend = { count: 1, batch: null }
    await fail(page, '**/rest/v1/notes?*', 'DELETE', (route) => route.fulfill({ json: [{ id }] }))
    await fail(page, '**/rest/v1/rpc/close_deals', 'POST', (route) =>
      route.fulfill({ json: pretend }),
    )
    await fail(page, rest, 'PATCH', (route) => route.fulfill({ json: { id } }))
    const names = await pressEverything(page, {
      address: `/app/deals/${id}?sort=name`,
      ready: () => expect(entry(page, 'Left a message')).toBeVisible(),
    })
    expect(names.length).toBeGreaterThan(20)
  },
)
