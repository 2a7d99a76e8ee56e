import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { button, dialog } from './contact-list.ts'
import { addDeals, stagesOf, storedDeals } from './deal-list.ts'
import { expect } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { addMailbox } from './mailbox.ts'
import { composer } from './record-page.ts'
import { settled } from './requests.ts'
import { addRow } from './rows.ts'
import { addTasks, stored } from './task-list.ts'

/** The steps of each job as docs/journeys.md writes them. */
function writtenJobs(): Map<string, { count: number; how: string }> {
  const text = readFileSync('docs/journeys.md', 'utf8')
  const rows = text.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+) \| ([^|]+) \|$/gm)
  return new Map(
    [...rows].map(([, job = '', count, how = '']) => [job, { count: Number(count), how }]),
  )
}

/** Acts as a person does, and keeps what was done in the words of docs/journeys.md. */
function counter(page: Page) {
  const done: string[] = []
  return {
    done,
    async click(what: string, place: Locator, modifier?: 'Shift') {
      done.push(modifier ? `\`${modifier}\` click ${what}` : `click ${what}`)
      await place.click(modifier ? { modifiers: [modifier] } : {})
    },
    async press(key: string) {
      done.push(`\`${key}\``)
      await page.keyboard.press(key)
    },
    /** Into the field that must have the focus by then. */
    async words(field: Locator, text: string) {
      done.push('words')
      await expect(field).toBeFocused()
      await page.keyboard.type(text)
    },
  }
}

test('the ten commonest jobs take the steps that docs/journeys.md writes', {
  tag: '@long',
}, async ({ page, signUp, begin, step }) => {
  const user = await signUp()
  const { Lead = null } = await stagesOf(user)
  const ada = await addRow(user, 'contacts', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone_number: '+49 30 1234567',
  })
  const guests = Array.from({ length: 20 }, (_, n) => ({
    first_name: 'Guest',
    last_name: String(n + 1).padStart(2, '0'),
    email: `guest${n + 1}@example.com`,
  }))
  await user.client.from('contacts').insert(guests)
  await addDeals(user, { name: 'Pilot', stage_id: Lead })
  await addTasks(user, { title: 'Ask for an answer' }, { title: 'Send the quote' })
  await begin(user, '/app/dashboard')
  // What another program takes leaves the page there; here none does.
  await page.evaluate(() =>
    addEventListener('click', (event) => {
      const link = event.target instanceof Element && event.target.closest('a')
      if (!link || !/^(tel|mailto):/.test(link.href)) return
      event.preventDefault()
      document.body.dataset.handedOver = link.href
    }),
  )
  const handedOver = () => page.evaluate(() => document.body.dataset.handedOver ?? '')

  const written = writtenJobs()
  type Steps = ReturnType<typeof counter>
  async function job(name: string, path: string, body: (steps: Steps) => Promise<void>) {
    await step(name, async () => {
      await visit(page, path)
      const steps = counter(page)
      await body(steps)
      expect({ count: steps.done.length, how: steps.done.join(' · ') }).toEqual(written.get(name))
      written.delete(name)
      // Whoever leaves before something is saved is asked.
      await settled(page)
    })
  }
  const quickField = dialog(page, 'Quick Actions').getByRole('combobox')
  const titles = async () => {
    const { data } = await user.client.from('tasks').select('title').order('title')
    return data?.map(({ title }) => title)
  }

  await job('Add a contact', '/app/dashboard', async ({ press, words }) => {
    await press('Control+K')
    await words(quickField, 'new contact Tom Ford tom@ford.example')
    await press('Enter')
    await expect
      .poll(
        async () =>
          (await user.client.from('contacts').select('email').eq('first_name', 'Tom')).data,
      )
      .toEqual([{ email: 'tom@ford.example' }])
  })
  await job('Create a deal for a contact', `/app/contacts/${ada}`, async ({ press, words }) => {
    await expect(button(page, 'Deal')).toBeEnabled()
    await press('D')
    await words(dialog(page, 'Create Deal').getByLabel('Deal Name *'), 'Website relaunch')
    await press('Enter')
    await expect
      .poll(async () => (await user.client.from('deals').select('name').eq('contact_id', ada)).data)
      .toEqual([{ name: 'Website relaunch' }])
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await job('Log a call with its next step', `/app/contacts/${ada}`, async ({ press, words }) => {
    await expect(button(page, 'Log call').first()).toBeEnabled()
    await press('L')
    await words(composer(page).getByRole('textbox').first(), 'Wants a quote')
    await press('Tab')
    await words(composer(page).getByRole('textbox', { name: 'Next step', exact: true }), 'Write it')
    await press('Enter')
    await expect.poll(titles).toEqual(['Ask for an answer', 'Send the quote', 'Write it'])
  })
  await job('Find somebody and dial', '/app/dashboard', async ({ press, words }) => {
    await press('/')
    await words(quickField, 'lovel')
    await press('Enter')
    await expect(page.getByRole('link', { name: 'Call', exact: true })).toBeVisible()
    await press('C')
    await expect.poll(handedOver).toBe('tel:+49301234567')
  })
  await job('Move a deal to another stage', '/app/deals?view=board', async ({ press }) => {
    const card = page.getByRole('article', { name: 'Pilot', exact: true })
    await expect(card).toBeVisible()
    await press('ArrowDown')
    await expect(page.locator('[data-card]:focus-within')).toHaveCount(1)
    const [name = ''] = await page
      .locator('[data-card]:focus-within')
      .getByRole('link')
      .allTextContents()
    await press('Space')
    await press('3')
    await press('Space')
    await expect
      .poll(async () => (await storedDeals(user)).find((deal) => deal.name === name)?.stage)
      .toBe('Proposal')
  })
  await job('Complete a task and plan the next', '/app/tasks', async ({ click, press, words }) => {
    await click('“Complete”', page.getByRole('checkbox', { name: 'Complete Send the quote' }))
    await words(page.getByRole('textbox', { name: 'Next step', exact: true }), 'Sign it')
    await press('Enter')
    await expect.poll(titles).toContain('Sign it')
  })
  await job('Snooze a task until tomorrow', '/app/tasks', async ({ click }) => {
    await click('“Snooze”', button(page, 'Snooze Ask for an answer'))
    await click('“Tomorrow”', page.getByRole('menuitem', { name: /^Tomorrow/ }))
    await expect
      .poll(async () => (await stored(user, 'Ask for an answer'))[0]?.due_date)
      .not.toBeNull()
  })
  await job('Tag twenty contacts', '/app/contacts?q=Guest', async ({ click, press, words }) => {
    await expect(page.getByText('20 contacts', { exact: true })).toBeVisible()
    await click('“Select all”', page.getByRole('checkbox', { name: /^Select all/ }).first())
    await click('“Tags”', button(page, 'Tags'))
    const form = dialog(page, 'Tag 20 contacts')
    await words(form.getByRole('combobox', { name: 'Tags' }), 'Fair')
    await press('Control+Enter')
    await expect
      .poll(
        async () =>
          (await user.client.from('contacts').select('id').contains('tags', ['Fair'])).data,
      )
      .toHaveLength(20)
    await expect(form).toBeHidden()
  })
  await job('Review the week', '/app/dashboard', async ({ click }) => {
    await click('“Reports”', page.getByRole('navigation').getByRole('link', { name: 'Reports' }))
    await click('“Week in review”', page.getByRole('link', { name: 'Week in review' }))
    await expect(page.getByRole('heading', { name: 'Week in review', level: 1 })).toBeVisible()
    await expect(page.getByRole('region', { name: 'New deals' })).toContainText('Website relaunch')
  })
  /** Up to the end of the message, in the dialog of this name. */
  async function writeToFive({ click, press, words }: Steps, name: string): Promise<Locator> {
    const row = (guest: string) =>
      page.getByRole('checkbox', { name: `Select ${guest}`, exact: true })
    await expect(page.getByText('20 contacts', { exact: true })).toBeVisible()
    await click('the first', row('Guest 01'))
    await click('the fifth', row('Guest 05'), 'Shift')
    await click('“Send email”', button(page, 'Send email'))
    const form = dialog(page, name)
    await words(form.getByRole('textbox', { name: 'Subject' }), 'Thank you')
    await press('Tab')
    await words(form.getByRole('textbox', { name: 'Message' }), 'for coming')
    return form
  }
  // Not right after the tags: who was selected there still is.
  const guestsByName = '/app/contacts?q=Guest&sort=name'
  await job('Email five contacts', guestsByName, async (steps) => {
    const form = await writeToFive(steps, 'Send email')
    await steps.click('“One email with Bcc”', form.getByText('One email with Bcc', { exact: true }))
    await expect(button(form, 'Continue')).toBeEnabled()
    await steps.press('Control+Enter')
    await expect(form.getByRole('link', { name: 'Open in mail app' })).toBeFocused()
    await steps.press('Enter')
    await expect
      .poll(handedOver)
      .toMatch(/^mailto:\?bcc=guest1@example.com,.*,guest5@example.com&subject=Thank/)
  })
  await addMailbox(user)
  await page.goto('/app/dashboard')
  await job('Email five contacts from a mailbox', guestsByName, async (steps) => {
    const form = await writeToFive(steps, 'New email')
    await expect(button(form, 'Send 5 emails')).toBeEnabled()
    await steps.press('Control+Enter')
    await expect(form).toBeHidden()
    const { data } = await user.client.rpc('outbox')
    expect(data).toMatchObject({ runs: [{ total: 5, waiting: 5 }] })
  })
  expect([...written.keys()], 'jobs that are written and not done').toEqual([])
})
