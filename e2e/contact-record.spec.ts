import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import ICAL from 'ical.js'
import type { Database } from '#lib/database.types.ts'
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
} from './record-page.ts'
import { askedFor, fail, hold, settled } from './requests.ts'
import { addRow } from './rows.ts'

type NewContact = Database['public']['Tables']['contacts']['Insert']

const _rest = '**/rest/v1/contacts?*'
const ada: NewContact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone_number: '+44 20 1234',
  role_title: 'Analyst',
  lead_status: 'New',
  lead_score: 12,
  notes: 'Met at the fair',
}

const add = (user: User, contact: NewContact) => addRow(user, 'contacts', contact)

async function stored(user: User, id: string) {
  const { data } = await user.client.from('contacts').select('*').eq('id', id).single()
  return data
}

/** Opens the page of a contact of the test's own. */
const withContact = test.extend<{
  open: (
    contact?: NewContact,
    prepare?: (user: User, id: string) => Promise<void>,
  ) => Promise<{ user: User; id: string }>
}>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (contact = ada, prepare) => {
      const user = await signUp()
      const id = await add(user, contact)
      await prepare?.(user, id)
      await begin(user, `/app/contacts/${id}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(region(page, 'Details')).toBeVisible()
      return { user, id }
    })
  },
})

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const details = (page: Page) => region(page, 'Details')

test.use({ expectedErrors: failedRequests })

withContact('the page', async ({ page, signUp, begin, step, longStep, scan }) => {
  const user = await signUp()
  const id = await add(user, ada)
  for (const [first_name, lead_status] of [
    ['Bea', 'Qualified'],
    ['Ann', 'Qualified'],
    ['Cal', 'Qualified'],
    ['Bob', 'Contacted'],
  ] as const) {
    await add(user, { first_name, lead_status })
  }
  const theirs = await add(await signUp(), { first_name: 'Secret' })
  // The shell around it asks for what it shows, once, on whatever page.
  const asked = askedFor(page, /compan|contact|(?<!kept_)record|collection/)

  await step("Loading text: 'Loading contact...'", async () => {
    const release = await hold(page, '**/rest/v1/rpc/contact_record')
    await begin(user, `/app/contacts/${id}`)
    await expect(page.getByText('Loading contact...', { exact: true })).toBeVisible()
    release()
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
    await expect(page.getByText('Loading contact...', { exact: true })).toBeHidden()
  })

  await step(
    'shows the contact, its name in the tab, phone and e-mail as links, with four requests at most',
    async () => {
      await expect(page).toHaveTitle('Ada Lovelace · Solo CRM')
      await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
      for (const [label, value] of [
        ['First Name', 'Ada'],
        ['Last Name', 'Lovelace'],
        ['Role Title', 'Analyst'],
        ['Lead Status', 'New'],
        ['Lead Score', '12'],
        ['Notes', 'Met at the fair'],
      ] as const) {
        await expectValue(page, label, value)
      }
      await expect(details(page).getByRole('link', { name: 'ada@example.com' })).toHaveAttribute(
        'href',
        'mailto:ada@example.com',
      )
      await expect(details(page).getByRole('link', { name: '+44 20 1234' })).toHaveAttribute(
        'href',
        'tel:+44201234',
      )
      await editButton(page, 'Email').hover()
      await button(details(page), 'Copy Email').click()
      await expect(button(details(page), 'Copied')).toBeVisible()
      await settled(page)
      await expect
        .poll(asked)
        .toEqual([
          'collection_counts',
          'rpc/contact_neighbours',
          'rpc/contact_record',
          'rpc/record_files',
          'rpc/record_timeline',
        ])
    },
  )

  await step('its card is shared as a QR code and as a file', async () => {
    await button(page, 'Share contact').click()
    const share = dialog(page, 'Share Ada Lovelace')
    const code = share.getByRole('img', { name: 'QR code of the vCard of Ada Lovelace' })
    await expect(code).toBeVisible()
    expect((await code.boundingBox())?.width).toBeGreaterThanOrEqual(240)
    await expect(button(share, 'Download vCard')).toBeFocused()
    await scan(share, { contrast: true })
    const saved = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const file = await saved
    expect(file.suggestedFilename()).toBe('Ada Lovelace.vcf')
    const card = ICAL.Component.fromString(await readFile(await file.path(), 'utf8'))
    const known = ['fn', 'email', 'tel', 'title', 'note']
    expect(known.map((name) => card.getFirstPropertyValue(name))).toEqual([
      'Ada Lovelace',
      'ada@example.com',
      '+44 20 1234',
      'Analyst',
      'Met at the fair',
    ])
    await page.keyboard.press('Escape')
    await expect(share).toBeHidden()
    await expect(button(page, 'Share contact')).toBeFocused()
  })

  await longStep(
    'a row leads there, previous and next lead through the list one came from, and back to it',
    async () => {
      const query = '?sort=name&status=Qualified'
      await visit(page, `/app/contacts${query}`)
      await page.getByRole('link', { name: 'Ann', exact: true }).click()
      const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
      await expect(title('Ann')).toBeVisible()
      await expect(page.getByLabel('Previous contact', { exact: true })).toBeDisabled()
      await page.getByLabel('Next contact', { exact: true }).click()
      await expect(title('Bea')).toBeVisible()
      // Changed so that it is not in the list any more, it keeps its place.
      await editButton(page, 'Lead Status').click()
      await page.getByRole('menuitemradio', { name: 'Unqualified', exact: true }).click()
      await expect(page.getByText('Contact updated successfully', { exact: true })).toBeVisible()
      await page.getByLabel('Next contact', { exact: true }).click()
      await expect(title('Cal')).toBeVisible()
      await expect(page.getByLabel('Next contact', { exact: true })).toBeDisabled()
      await page.getByLabel('Previous contact', { exact: true }).click()
      await expect(title('Ann')).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Contacts', exact: true }).click()
      await expect(page).toHaveURL(`/app/contacts${query}`)
    },
  )

  await step('an id that is not the user’s shows "not found" with the way back', async () => {
    await visit(page, `/app/contacts/${theirs}?sort=name`)
    await expect(page.getByRole('heading', { name: 'Contact not found' })).toBeVisible()
    await expect(page.getByText('Secret')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await test.step('is accessible', () => scan(page.getByRole('main')))
    await page.getByRole('link', { name: 'Back to contacts' }).click()
    await expect(page).toHaveURL('/app/contacts?sort=name')
  })
})

withContact('details edited in place', async ({ page, open, step, longStep, scan }) => {
  const { user, id } = await open(ada, fill)

  await step('the page is accessible, light and dark', async () => {
    await expect(entry(page, 'Left a message')).toBeVisible()
    await scan()
  })

  await longStep('and with everything open', async () => {
    await edit(page, 'Email', 'ada')
    await expect(input(page, 'Email')).toHaveAttribute('aria-invalid', 'true')
    await editButton(page, 'Lead Status').click()
    await expect(page.getByRole('menuitemradio', { name: 'Qualified', exact: true })).toBeVisible()
    await scan(page.getByRole('menu'))
    await scan(details(page), { contrast: true })
    await page.keyboard.press('Escape')
    await button(details(page), 'Cancel').click()
    await details(page).getByRole('link', { name: 'Acme' }).hover()
    await editButton(page, 'Company').click()
    await expect(page.getByRole('option', { name: 'Acme' })).toBeVisible()
    await scan(page.getByRole('listbox'))
    await page.keyboard.press('Escape')
    await button(region(page, 'Collections'), 'Add to collection').click()
    await expect(page.getByRole('option', { name: /^VIP/ })).toBeVisible()
    await scan(page.getByRole('listbox'))
    await scan(region(page, 'Collections'))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
  })

  await step('the message of a bad value stands at its field', async () => {
    await expectRefused(page, [
      ['Email', 'ada', 'Enter a valid email address, such as ada@example.com.'],
      ['Lead Score', 'many', 'Lead Score must be a number.'],
    ])
    await expect.poll(() => stored(user, id)).toMatchObject(ada)
  })

  await step(
    "every field is saved where it stands, 'Contact updated successfully', and the timeline tells it in words",
    async () => {
      await edit(page, 'First Name', 'Augusta Ada')
      await expect(page.getByText('Contact updated successfully', { exact: true })).toBeVisible()
      await expect(
        page.getByRole('heading', { level: 1, name: 'Augusta Ada Lovelace' }),
      ).toBeVisible()
      await edit(page, 'Last Name', 'Byron')
      await edit(page, 'Email', 'ada@byron.example')
      await edit(page, 'Phone Number', '+49 30 5678')
      await edit(page, 'Role Title', '')
      await edit(page, 'Lead Score', '1,250.5')
      await expectValue(page, 'Lead Score', '1,250.5')
      await editButton(page, 'Notes').click()
      await input(page, 'Notes').fill('One\nTwo')
      await input(page, 'Notes').press('Control+Enter')
      await expectValue(page, 'Notes', 'One\nTwo')
      await editButton(page, 'Lead Status').click()
      await page.getByRole('menuitemradio', { name: 'Qualified', exact: true }).click()
      await expectChange(page, 'Lead status changed from New to Qualified')
      await expectChange(page, 'Notes changed')
      await expectChange(page, 'Lead score changed from 12 to 1,250.5')
      await expectChange(page, 'Role title removed (was Analyst)')
      await expect(entry(page, 'Created')).toBeVisible()
      await expect
        .poll(() => stored(user, id))
        .toMatchObject({
          first_name: 'Augusta Ada',
          last_name: 'Byron',
          email: 'ada@byron.example',
          phone_number: '+49 30 5678',
          role_title: null,
          lead_score: 1250.5,
          lead_status: 'Qualified',
          notes: 'One\nTwo',
        })
      // All names may be missing.
      await edit(page, 'First Name', '')
      await edit(page, 'Last Name', '')
      await expect(page.getByRole('heading', { level: 1, name: 'Unnamed' })).toBeVisible()
    },
  )
})

withContact('linked records and deleting', { tag: '@long' }, async ({ page, open, step }) => {
  const { user, id } = await open(ada, async (owner, contact_id) => {
    const { client } = owner
    await addRow(owner, 'companies', { name: 'Acme' })
    await addRow(owner, 'companies', { name: 'Zeta' })
    for (const name of ['VIP', 'Berlin']) {
      const { data } = await client.from('collections').insert({ name }).select('id').single()
      if (name === 'Berlin') continue
      const member = { collection_id: data?.id ?? '', contact_id }
      await client.from('collection_members').insert(member)
    }
    await client.from('tasks').insert({ title: 'Call', contact_id })
    await client.from('tasks').update({ completed: true }).eq('title', 'Call')
    const { data: stages } = await client.from('pipeline_stages').select('id, name').order('order')
    await client
      .from('deals')
      .insert({ name: 'Order', value: 500, contact_id, stage_id: stages?.[0]?.id ?? null })
    await client
      .from('deals')
      .update({ stage_id: stages?.[1]?.id ?? null })
      .eq('name', 'Order')
    await client.rpc('log_emails', { filter: { ids: [contact_id] }, subject: 'Samples' })
    await client.from('notes').insert({ body: 'Likes tea', contact_id })
  })

  await step('tasks, deals and e-mails are told in the timeline', async () => {
    await expectChange(page, 'Task “Call” added')
    await expect(entry(page, 'Task “Call” completed')).toBeVisible()
    await expect(entry(page, 'Deal “Order” moved from Lead to Qualified')).toBeVisible()
    await expect(entry(page, 'Email draft opened')).toContainText('Samples')
    await expect(region(page, 'Deals')).toContainText('Qualified')
  })

  await step(
    'a company is chosen, made, shown with the way to its page, and taken away',
    async () => {
      await button(details(page), 'Add company').click()
      await page.getByRole('option', { name: 'Acme', exact: true }).click()
      const link = (name: string) => details(page).getByRole('link', { name, exact: true })
      await expect(link('Acme')).toBeVisible()
      await expectChange(page, 'Company set to Acme')
      await link('Acme').hover()
      await editButton(page, 'Company').click()
      await page.getByRole('combobox', { name: 'Company' }).fill('Newco')
      // The choices of the search before make room for it: a click meanwhile would meet no row.
      await expect(page.getByRole('option')).toHaveText(['Create company “Newco”'])
      await page.getByRole('option', { name: 'Create company “Newco”' }).click()
      await button(dialog(page, 'Add Company'), 'Add Company').click()
      await expect(link('Newco')).toBeVisible()
      await expectChange(page, 'Company changed from Acme to Newco')
      await link('Newco').hover()
      await editButton(page, 'Company').click()
      await expect(page.getByRole('combobox', { name: 'Company' })).toBeFocused()
      await expect(page.getByRole('option', { name: 'No company', exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(link('Newco')).toBeVisible()
      await link('Newco').click()
      await expect(page.getByRole('heading', { level: 1, name: 'Newco' })).toBeVisible()
      const there = region(page, 'Contacts').getByRole('link')
      await expect(there).toHaveText(['Ada Lovelace', 'ada@example.com'])
      await page.goBack()
      await link('Newco').hover()
      await editButton(page, 'Company').click()
      await page.getByRole('option', { name: 'No company', exact: true }).click()
      await expect(button(details(page), 'Add company')).toBeVisible()
      await expect.poll(async () => (await stored(user, id))?.company_id).toBeNull()
    },
  )

  await step(
    'its collections lead to their lists; it is added to one and taken out of it',
    async () => {
      const collections = region(page, 'Collections')
      await expect(collections.getByRole('link')).toHaveText(['VIP'])
      await expectChange(page, 'Added to collection VIP')
      await button(collections, 'Add to collection').click()
      await page.getByRole('option', { name: /^Berlin/ }).click()
      await expect(collections.getByRole('link')).toHaveText(['Berlin', 'VIP'])
      await button(collections, 'Remove from VIP').click()
      await expect(collections.getByRole('link')).toHaveText(['Berlin'])
      await expectChange(page, 'Removed from collection VIP')
      await collections.getByRole('link', { name: 'Berlin' }).click()
      await expect(page).toHaveURL(/\/app\/contacts\?collection=/)
      await expect(page.getByRole('link', { name: 'Ada Lovelace' })).toBeVisible()
      await page.getByRole('link', { name: 'Ada Lovelace' }).click()
      await expect(region(page, 'Details')).toBeVisible()
      await settled(page)
    },
  )

  await step(
    "asks, goes back to the list, 'Contact deleted successfully', and Undo brings all back",
    async () => {
      await button(page, 'Delete contact').click()
      const question = dialog(page, 'Delete Ada Lovelace?')
      await expect(question).toContainText('This also deletes its notes, calls and meetings.')
      await button(question, 'Delete').click()
      await expect(page).toHaveURL(/\/app\/contacts\?collection=/)
      await expect(page.getByText('Contact deleted successfully', { exact: true })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'No contacts found' })).toBeVisible()
      await button(page, 'Undo').click()
      await page.getByRole('link', { name: 'Ada Lovelace', exact: true }).click()
      await expect(entry(page, 'Likes tea')).toBeVisible()
      await expect(entry(page, 'Undid: Deleted')).toBeVisible()
    },
  )
})

/** Something of everything that a page can show. */
async function fill({ client }: User, id: string): Promise<void> {
  const { data: company } = await client
    .from('companies')
    .insert({ name: 'Acme' })
    .select()
    .single()
  await client
    .from('contacts')
    .update({ company_id: company?.id ?? null })
    .eq('id', id)
  await client.from('deals').insert({ name: 'First', contact_id: id })
  const { data: vip } = await client.from('collections').insert({ name: 'VIP' }).select().single()
  await client.from('collection_members').insert({ collection_id: vip?.id ?? '', contact_id: id })
  await client.from('notes').insert({ kind: 'call', outcome: 'Left a message', contact_id: id })
}

withContact('on the phone', { tag: '@phone' }, async ({ page, open, step, longStep, scan }) => {
  await step('the page is accessible, and begins with what there is to do', async () => {
    await open(ada, fill)
    await expect(entry(page, 'Left a message')).toBeVisible()
    await scan()
    // Of the details only what is known.
    await expect(page.locator('#main section[aria-label]')).toContainText([
      /^Tasks/,
      /^Deals/,
      /^Details/,
    ])
    await expect(editButton(page, 'Nickname')).toHaveCount(0)
  })

  await longStep('details edited in place', async () => {
    await button(page, 'Show empty fields').click()
    await expect(editButton(page, 'Nickname')).toBeVisible()
    await edit(page, 'First Name', 'Augusta Ada')
    await expect(page.getByText('Contact updated successfully', { exact: true })).toBeVisible()
    await expect(
      page.getByRole('heading', { level: 1, name: 'Augusta Ada Lovelace' }),
    ).toBeVisible()
    await editButton(page, 'Lead Status').click()
    await page.getByRole('menuitemradio', { name: 'Qualified', exact: true }).click()
    await expectChange(page, 'Lead status changed from New to Qualified')
  })

  await step('nothing sticks out on the narrowest phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    const word = 'x'.repeat(200)
    const contact = {
      first_name: word,
      last_name: word,
      email: `${word}@example.com`,
      phone_number: '1'.repeat(50),
      role_title: word,
      notes: `${word} ${'word '.repeat(2000)}`,
    }
    await open(contact, fill)
    await expect(entry(page, 'Created')).toHaveCount(1)
    await expectNoSidewaysScroll(page)
    await editButton(page, 'Notes').click()
    await composer(page).getByRole('textbox', { name: 'Write a note' }).click()
    await expectNoSidewaysScroll(page)
  })
})

withContact(
  'every enabled control on the page does something, without a script error',
  async ({ page, open }) => {
    test.setTimeout(240_000) // some thirty controls, each on a fresh page
    const { id } = await open(ada, fill)
    // What is deleted or removed must be there again for the next.
    const pretend = { count: 1, batch: null }
    await fail(page, '**/rest/v1/notes?*', 'DELETE', (route) => route.fulfill({ json: [{ id }] }))
    await fail(page, '**/rest/v1/rpc/remove_from_collection', 'POST', (route) =>
      route.fulfill({ json: pretend }),
    )
    const names = await pressEverything(page, {
      address: `/app/contacts/${id}?sort=name`,
      ready: () => expect(entry(page, 'Left a message')).toBeVisible(),
    })
    expect(names.length).toBeGreaterThan(20)
  },
)
