import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page, type Route } from '@playwright/test'
import { fill, submit } from './auth-form.ts'
import { expect, failedRequests, sessionKey, type User } from './fixtures.ts'
import { test, visit } from './journey.ts'
import { keptOf } from './kept-of.ts'
import { button, composer, entry, write } from './record-page.ts'
import { fail, loseAnswer, settled } from './requests.ts'
import { addRow } from './rows.ts'
import { addTasks, inDays } from './task-list.ts'

// Requests fail on purpose.
// As for users: what is needed without a network is loaded before it is gone.
test.use({ keepsData: true, fetchesAhead: true, expectedErrors: failedRequests })

const sends = '**/rest/v1/rpc/write_once'
const line = (page: Page) => page.getByRole('button', { name: /(waiting to be|not) sent/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Not sent yet' })
const item = (page: Page, text: string) =>
  panel(page).getByRole('listitem').filter({ hasText: text })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function notesOf({ client }: User): Promise<(string | null)[]> {
  const { data } = await client.from('notes').select('body').order('happened_at').throwOnError()
  return data.map(({ body }) => body)
}

/** Everything that waited has arrived: to be asked when the line of what waits has been there. */
async function expectAllSent(page: Page): Promise<void> {
  await expect(line(page)).toHaveCount(0, { timeout: 60_000 })
  await settled(page)
}

/** As on a train: the browser itself knows that there is no network. */
async function cut(page: Page, context: BrowserContext): Promise<void> {
  await settled(page)
  // Without the worker nothing brings code that is missing then.
  const needed = ['/send-waiting-', '/waiting-line-']
  const missing = () =>
    page.evaluate((names) => {
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return names.filter((name) => !loaded.some((file) => file.includes(name)))
    }, needed)
  await expect.poll(missing).toEqual([])
  await context.setOffline(true)
}

test('the network is cut in the middle of ten writes, and answers get lost: each is written once, in order', {
  tag: '@long',
}, async ({ page, context, enter, step, scan }) => {
  const user = await enter('/app/contacts')
  const contact = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Byron' })
  await visit(page, `/app/contacts/${contact}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible()

  await step('ten notes: three with a network, one whose answer is lost, six without', async () => {
    for (const number of [1, 2, 3]) {
      await write(page, `Note ${number}`)
      await expect(entry(page, `Note ${number}`)).toBeVisible()
      await settled(page)
    }
    await fail(page, sends, 'POST', loseAnswer)
    await write(page, 'Note 4')
    await expect(page.getByText(/^Saved on this device/).first()).toBeVisible()
    await expect(entry(page, 'Note 4')).toContainText('Waiting to be sent')
    // Its code comes when it is pointed at; the worker, which has all of it, is off in these journeys.
    await line(page).hover()
    // The server has it by now, and nobody here knows.
    await expect.poll(() => notesOf(user)).toHaveLength(4)
    await cut(page, context)
    await page.unroute(sends)
    for (const number of [5, 6, 7, 8, 9, 10]) {
      await write(page, `Note ${number}`)
      await expect(entry(page, `Note ${number}`)).toContainText('Waiting to be sent')
    }
    await expect(line(page)).toHaveText('7 changes are waiting to be sent')
    await scan()
  })

  await step('the list of all that waits; one is taken back, of one nobody knows yet', async () => {
    await line(page).click()
    await expect(panel(page).getByRole('listitem')).toHaveCount(7)
    await scan(panel(page), { contrast: true })
    await button(item(page, 'Note 9'), 'Take back').click()
    await expect(page.getByText('Taken back.')).toBeVisible()
    await expect(item(page, 'Note 9')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(entry(page, 'Note 9')).toHaveCount(0)
  })

  await step('the network is back: all arrive, none twice', async () => {
    await context.setOffline(false)
    await expectAllSent(page)
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 10].map((number) => `Note ${number}`)
    expect(await notesOf(user)).toEqual(expected)
    await expect(entry(page, 'Note 10')).toBeVisible()
    await expect(entry(page, 'Note 10')).not.toContainText('Waiting')
  })

  await step('one that has arrived unseen is taken back all the same', async () => {
    await fail(page, sends, 'POST', loseAnswer)
    await write(page, 'A slip')
    await expect.poll(() => notesOf(user)).toContain('A slip')
    await button(page.getByRole('alert').filter({ hasText: 'Saved on' }), 'Take back').click()
    await expect(page.getByText('Taken back.')).toBeVisible()
    await expect(entry(page, 'A slip')).toHaveCount(0)
    await page.unroute(sends)
    await expect.poll(() => notesOf(user), { timeout: 60_000 }).not.toContain('A slip')
    await expectAllSent(page)
  })
})

test('what the server does not take: both versions and a choice, reasons, and signing out', {
  tag: '@long',
}, async ({ page, context, enter, begin, signUp, step, longStep, scan }) => {
  const user = await enter('/app/contacts')
  const contact = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Byron' })
  const { data: note } = await user.client
    .from('notes')
    .insert({ kind: 'note', body: 'Likes tea', contact_id: contact })
    .select('id')
    .single()
    .throwOnError()
  const stored = async () =>
    (await user.client.from('notes').select('body').eq('id', note.id).single()).data?.body
  const edit = async (from: string, to: string) => {
    await entry(page, from).getByRole('button', { name: 'Edit note' }).click()
    const form = page.getByRole('form', { name: 'Edit note' })
    await form.getByRole('textbox').first().fill(to)
    await button(form, 'Save Changes').click()
    await expect(entry(page, to)).toContainText('Waiting to be sent')
  }
  await visit(page, `/app/contacts/${contact}`)
  await expect(entry(page, 'Likes tea')).toBeVisible()

  await step('a conflict shows both versions; mine is used', async () => {
    await cut(page, context)
    await edit('Likes tea', 'Likes coffee')
    await user.client.from('notes').update({ body: 'Likes water' }).eq('id', note.id).throwOnError()
    await context.setOffline(false)
    await expect(line(page)).toHaveText('1 change was not sent', { timeout: 60_000 })
    await line(page).click()
    const versions = item(page, 'Likes coffee').getByRole('table', { name: 'Both versions' })
    await expect(versions.getByRole('row').nth(1)).toHaveText('TextLikes coffeeLikes water')
    await scan(panel(page), { contrast: true })
    await button(panel(page), 'Use mine').click()
    await expect(panel(page)).toContainText('Everything has been sent.')
    await page.keyboard.press('Escape')
    await expectAllSent(page)
    expect(await stored()).toBe('Likes coffee')
  })

  await longStep('or what is there is kept', async () => {
    await cut(page, context)
    await edit('Likes coffee', 'Likes milk')
    await user.client.from('notes').update({ body: 'Likes juice' }).eq('id', note.id).throwOnError()
    await context.setOffline(false)
    await expect(line(page)).toHaveText('1 change was not sent', { timeout: 60_000 })
    await line(page).click()
    await button(panel(page), 'Keep the other version').click()
    await page.keyboard.press('Escape')
    await expectAllSent(page)
    expect(await stored()).toBe('Likes juice')
  })

  await step('a refusal tells why, and what depends on it waits with it', async () => {
    await cut(page, context)
    await write(page, 'On a contact that goes')
    await expect(entry(page, 'On a contact that goes')).toContainText('Waiting')
    await user.client.from('contacts').delete().eq('id', contact).throwOnError()
    await context.setOffline(false)
    await expect(line(page)).toHaveText('1 change was not sent', { timeout: 60_000 })
    await line(page).click()
    await expect(item(page, 'On a contact that goes')).toContainText('Text')
    await expect(button(panel(page), 'Try again')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await step('another account neither sees nor sends it; it is there for its own', async () => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('write_once')) sent.push(request.postData() ?? '')
    })
    await begin(await signUp(), '/app/contacts')
    await settled(page)
    await expect(line(page)).toHaveCount(0)
    expect(sent).toEqual([])
    await begin(user, '/app/contacts')
    await expect(line(page)).toHaveText('1 change was not sent')
  })

  await step('signing out asks; Escape keeps everything, Download saves a file', async () => {
    await button(page, 'Sign Out').first().click()
    const question = dialog(page, 'Sign out with unsent changes?')
    await expect(question).toBeVisible()
    await scan(question, { contrast: true })
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(line(page)).toHaveText('1 change was not sent')
    await button(page, 'Sign Out').first().click()
    const download = page.waitForEvent('download')
    await button(question, 'Download').click()
    const file = await (await download).createReadStream()
    const text = (await file.toArray()).join('')
    expect(JSON.parse(text).changes_not_sent[0]).toMatchObject({
      what: 'Note: On a contact that goes',
      values: { body: 'On a contact that goes' },
    })
    await expect(page).toHaveURL(/\/auth/)
  })
})

test('leaving while something waits', { tag: '@long' }, async ({ page, enter, step, longStep }) => {
  const user = await enter('/app/contacts')
  const contact = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Byron' })
  const lost = (route: Route) => route.abort()

  /** Writes a note that the server does not take yet. */
  async function writeWaiting(text: string): Promise<void> {
    await visit(page, `/app/contacts/${contact}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible()
    await fail(page, sends, 'POST', lost)
    await write(page, text)
    await expect(line(page)).toHaveText('1 change is waiting to be sent')
  }

  await step(
    'a session that expired wipes nothing; the next sign-in of the account sends',
    async () => {
      await writeWaiting('Before the session ended')
      await user.client.auth.signOut({ scope: 'global' })
      await page.reload()
      await expect(page).toHaveURL(/\/auth/)
      await page.unroute(sends)
      await fill(page, { Email: user.email, Password: user.password })
      await submit(page, 'Sign In')
      await expect(page).toHaveURL(/\/app/)
      await user.client.auth.signInWithPassword(user)
      await expect
        .poll(() => notesOf(user), { timeout: 60_000 })
        .toEqual(['Before the session ended'])
      await expectAllSent(page)
    },
  )

  await longStep(
    'deleting the account asks, and Cancel keeps everything; signing out sends first',
    async () => {
      await writeWaiting('Sent while leaving')
      await visit(page, '/app/settings')
      await button(page, 'Delete Account').click()
      await page.getByLabel('Your email address').fill(user.email)
      await button(page, 'Delete my account').click()
      const warning = dialog(page, 'Delete account with unsent changes?')
      await button(warning, 'Cancel').click()
      await expect(warning).toHaveCount(0)
      await expect(page.getByLabel('Your email address')).toHaveValue(user.email)
      await expect(line(page)).toHaveText('1 change is waiting to be sent')
      await button(page, 'Cancel').click()

      await button(page, 'Sign Out').first().click()
      const question = dialog(page, 'Sign out with unsent changes?')
      await expect(question).toBeVisible()
      await page.unroute(sends)
      await button(question, 'Send').click()
      await expect(page).toHaveURL(/\/auth/, { timeout: 90_000 })
      expect(await notesOf(user)).toContain('Sent while leaving')
    },
  )
})

test('what waits survives the end of the browser', { tag: '@long' }, async ({
  signUp,
  baseURL,
  launchOptions,
}) => {
  const user = await signUp()
  const contact = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Byron' })
  const profile = mkdtempSync(join(tmpdir(), 'solo-profile-'))
  const start = () =>
    chromium.launchPersistentContext(profile, { ...launchOptions, baseURL: baseURL ?? '' })
  try {
    const before = await start()
    const [page = await before.newPage()] = before.pages()
    await page.goto('/auth')
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      sessionKey,
      JSON.stringify(user.session),
    ] as const)
    await page.goto(`/app/contacts/${contact}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible()
    await page.route(sends, (route) => route.abort())
    await write(page, 'Before the battery was empty')
    await expect(entry(page, 'Before the battery was empty')).toContainText('Waiting to be sent')
    await before.close()
    expect(await notesOf(user)).toEqual([])

    const after = await start()
    const [restarted = await after.newPage()] = after.pages()
    await restarted.goto(`/app/contacts/${contact}`)
    await expect(entry(restarted, 'Before the battery was empty')).toBeVisible()
    await expect
      .poll(() => notesOf(user), { timeout: 60_000 })
      .toEqual(['Before the battery was empty'])
    await after.close()
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
})

test.describe('on the phone', () => {
  test.use({ serviceWorkers: 'allow' })

  test('a day’s work without a network, a reload in between, then everything is there', {
    tag: ['@phone', '@long'],
  }, async ({ page, context, signUp, begin, step, longStep, scan }) => {
    const user = await signUp()
    const contact = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Byron' })
    await addTasks(user, { title: 'Call Ada', due_date: inDays(0) }, { title: 'Invoice' })
    const deal = await addRow(user, 'deals', { name: 'Engine', value: 5000 })
    const stages = await user.client.from('pipeline_stages').select('id, name').order('order')
    const qualified = stages.data?.[1]
    await begin(user, '/app/tasks')
    await expect(page.getByRole('article', { name: 'Call Ada' })).toBeVisible()
    await expect
      .poll(() => page.evaluate(async () => Boolean((await navigator.serviceWorker.ready).active)))
      .toBe(true)
    // From the second visit on, the worker has the code of everything.
    await page.reload()
    await expect(page.getByRole('article', { name: 'Call Ada' })).toBeVisible()
    const card = (name: string) => page.getByRole('article', { name, exact: true })

    await step('a task is completed with its next step, another one is put off', async () => {
      await cut(page, context)
      await page.getByRole('checkbox', { name: 'Complete Call Ada' }).click()
      await expect(card('Call Ada')).toContainText('Waiting to be sent')
      const next = page.getByRole('form', { name: 'Next step after Call Ada' })
      await next.getByRole('textbox', { name: 'Next step', exact: true }).fill('Send the offer')
      await button(next, 'Add').click()
      await expect(card('Send the offer')).toContainText('Waiting to be sent')
      await button(card('Invoice'), 'Snooze Invoice').click()
      await page.getByRole('menuitem', { name: /^Tomorrow/ }).click()
      await expect(card('Invoice')).toContainText('Waiting to be sent')
      await scan()
    })

    await step('a contact and a task are added, and a line of quick add', async () => {
      const bar = page.getByRole('navigation', { name: 'Shortcuts' })
      await bar.getByRole('button', { name: 'Add' }).click()
      await dialog(page, 'Quick Actions').getByRole('button', { name: 'Add Contact' }).click()
      const form = dialog(page, 'Add Contact')
      await form.getByLabel('First Name').fill('Grace')
      await form.getByLabel('Last Name').fill('Hopper')
      await button(form, 'Add Contact').click()
      await expect(form).toHaveCount(0)
      await bar.getByRole('button', { name: 'Add' }).click()
      await dialog(page, 'Quick Actions').getByRole('button', { name: 'Create Task' }).click()
      const task = dialog(page, 'Create New Task')
      await task.getByLabel('Title', { exact: true }).fill('Book the train')
      await button(task, 'Create New Task').click()
      await expect(task).toHaveCount(0)
      await expect(card('Book the train')).toContainText('Waiting to be sent')
      await bar.getByRole('button', { name: 'Search' }).click()
      await dialog(page, 'Quick Actions')
        .getByRole('combobox')
        .fill('call ada byron tomorrow !high')
      await expect(page.getByText(/Records are matched when the line is sent/)).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(dialog(page, 'Quick Actions')).toBeHidden()
      await expect(line(page)).toHaveText('6 changes are waiting to be sent')
    })

    await step('after a reload it is all there', async () => {
      await page.reload()
      await expect(line(page)).toHaveText('6 changes are waiting to be sent')
      await line(page).click()
      await expect(panel(page).getByRole('listitem')).toHaveCount(6)
      await expect(item(page, 'Grace Hopper')).toBeVisible()
      await page.keyboard.press('Escape')
    })

    await step('the network is back: every row is there, once', async () => {
      await context.setOffline(false)
      await expectAllSent(page)
      const { data: contacts } = await user.client
        .from('contacts')
        .select('first_name')
        .order('first_name')
      expect(contacts).toEqual([{ first_name: 'Ada' }, { first_name: 'Grace' }])
      const { data: tasks } = await user.client
        .from('tasks')
        .select('title, completed, contact_id, priority, due_date')
        .order('title')
      expect(tasks).toMatchObject([
        { title: 'Book the train', completed: false },
        { title: 'Call Ada', completed: true },
        { title: expect.stringMatching(/^Call Ada Byron/i), contact_id: contact, priority: 'high' },
        { title: 'Invoice', completed: false, due_date: expect.any(String) },
        { title: 'Send the offer', completed: false },
      ])
      // The completion and its next step are one batch.
      const { data: changes } = await user.client
        .from('changes')
        .select('batch, label')
        .in('label', ['Call Ada', 'Send the offer'])
        .gt('id', 0)
        .order('id', { ascending: false })
      expect(new Set(changes?.slice(0, 2).map(({ batch }) => batch)).size).toBe(1)
    })

    await longStep('a deal is moved on the board without a network', async () => {
      await visit(page, '/app/deals?view=board')
      await expect(card('Engine')).toBeVisible()
      await cut(page, context)
      await button(card('Engine'), 'Move Engine').click()
      await page.getByRole('menuitem', { name: qualified?.name ?? '' }).click()
      await expect(card('Engine')).toContainText('Waiting to be sent')
      // It comes a moment after the mark; while it is not there yet, everything would seem to be sent.
      await expect(line(page)).toHaveText('1 change is waiting to be sent')
      await context.setOffline(false)
      await expectAllSent(page)
      const { data } = await user.client.from('deals').select('stage_id').eq('id', deal).single()
      expect(data?.stage_id).toBe(qualified?.id)
    })
  })

  test('the same day’s work, with a network and without: every column of every row is the same', {
    tag: ['@phone', '@long'],
  }, async ({ page, context, signUp, begin, step }) => {
    const done: Record<string, Awaited<ReturnType<typeof rowsOf>>> = {}
    for (const network of ['with a network', 'without']) {
      await step(`a day’s work ${network}`, async () => {
        const user = await signUp()
        const contact = await dayBefore(user)
        await begin(user, `/app/contacts/${contact}`)
        await expect(entry(page, 'Likes tea')).toBeVisible()
        await page.waitForFunction(async () =>
          Boolean((await navigator.serviceWorker.ready).active),
        )
        await page.reload()
        await expect(entry(page, 'Likes tea')).toBeVisible()
        await expect.poll(() => keptOf(page, user)).toContain(`seen:/app/contacts/${contact}`)
        await visit(page, '/app/tasks')
        await expect(page.getByRole('article', { name: 'Call Ada' })).toBeVisible()
        if (network === 'without') await cut(page, context)
        const begun = Date.now()
        await workADay(page, contact)
        const worked = Date.now()
        if (network === 'without') {
          await expect(line(page)).toHaveText('6 changes are waiting to be sent')
          await context.setOffline(false)
        }
        await expectAllSent(page)
        done[network] = await rowsOf(user, { begun, worked })
      })
    }
    expect(done.without).toEqual(done['with a network'])
    expect(done.without?.notes).toHaveLength(4)
  })
})

/** Of an account that works: a contact with a note, and two tasks. */
async function dayBefore(user: User): Promise<string> {
  const contact = await addRow(user, 'contacts', { first_name: 'Ada', last_name: 'Byron' })
  const noon = new Date(Date.now() + 86_400_000).setUTCHours(12, 0, 0, 0)
  await addTasks(
    user,
    { title: 'Call Ada', due_date: new Date(noon).toISOString(), contact_id: contact },
    { title: 'Invoice', due_date: new Date(noon).toISOString() },
  )
  const note = { kind: 'note', body: 'Likes tea', happened_at: '2026-01-02T10:00:00Z' } as const
  await user.client
    .from('notes')
    .insert({ ...note, contact_id: contact })
    .throwOnError()
  return contact
}

async function workADay(page: Page, contact: string): Promise<void> {
  const card = (name: string) => page.getByRole('article', { name, exact: true })
  await button(card('Invoice'), 'Snooze Invoice').click()
  await page.getByRole('menuitem', { name: /^Next week/ }).click()
  await expect(page.getByRole('menu')).toBeHidden()
  await page.getByRole('checkbox', { name: 'Complete Call Ada' }).click()
  await expect(page.getByRole('form', { name: 'Next step after Call Ada' })).toBeVisible()
  await visit(page, `/app/contacts/${contact}`)
  await write(page, 'Met at the fair')
  await expect(entry(page, 'Met at the fair')).toBeVisible()
  for (const [kind, notes, add] of [
    ['Call', 'Call notes', 'Log call'],
    ['Meeting', 'Meeting notes', 'Log meeting'],
  ] as const) {
    await composer(page).getByText(kind, { exact: true }).click()
    await composer(page).getByLabel('Outcome').fill(`Outcome of the ${kind}`)
    await composer(page).getByRole('textbox', { name: notes }).fill(`What was said: ${kind}`)
    await button(composer(page), add).click()
    await expect(entry(page, `What was said: ${kind}`)).toBeVisible()
  }
  await entry(page, 'Likes tea').getByRole('button', { name: 'Edit note' }).click()
  const form = page.getByRole('form', { name: 'Edit note' })
  await form.getByRole('textbox').first().fill('Likes coffee')
  await button(form, 'Save Changes').click()
  await expect(entry(page, 'Likes coffee')).toBeVisible()
}

/** All rows of the account: records by their names, and moments of the work as such. */
async function rowsOf({ client }: User, { begun, worked }: Record<'begun' | 'worked', number>) {
  const [contacts, tasks, notes] = await Promise.all([
    client.from('contacts').select().order('first_name').throwOnError(),
    client.from('tasks').select().order('title').throwOnError(),
    client.from('notes').select().order('body').throwOnError(),
  ])
  const names = new Map([
    ...contacts.data.map(({ id, first_name }) => [id, first_name] as const),
    ...tasks.data.map(({ id, title }) => [id, title] as const),
    ...notes.data.map(({ id, body }) => [id, body] as const),
  ])
  const plain = (rows: object[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row)
          .filter(([column]) => !['user_id', 'created_at', 'updated_at'].includes(column))
          .map(([column, value]) => {
            const at = typeof value === 'string' && /_at$/.test(column) ? Date.parse(value) : NaN
            const isOfWork = at >= begun && at <= worked
            return [column, isOfWork ? 'during the work' : (names.get(value) ?? value)]
          }),
      ),
    )
  return { contacts: plain(contacts.data), tasks: plain(tasks.data), notes: plain(notes.data) }
}
