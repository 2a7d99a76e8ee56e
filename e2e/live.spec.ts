import type { Page } from '@playwright/test'
import { expect, failedRequests, sessionKey, test, type User } from './fixtures.ts'

// The last step ends the session, and the windows ask the server whether it does. How a server that was killed is caught
// up with: e2e/ways.spec.ts.
test.use({ isLive: true, expectedErrors: failedRequests })

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const add = (user: Pick<User, 'client'>, name: string) =>
  user.client.from('companies').insert({ name }).select('id').single().throwOnError()

test('what one window changes shows in the others of the account, and in no other account’s', async ({
  page,
  enter,
  signUp,
  browser,
  step,
  longStep,
}) => {
  const user = await enter('/app/companies')
  const window2 = await page.context().newPage()
  await window2.goto('/app/companies')
  const stranger = await browser.newContext()
  const elsewhere = await openAs(await stranger.newPage(), await signUp(), '/app/companies')

  await step('a company added by hand in one window is in the other', async () => {
    await window2.getByRole('button', { name: 'Add Company' }).first().click()
    const dialog = window2.getByRole('dialog', { name: 'Add Company' })
    await dialog.getByLabel('Company Name *').fill('Acme')
    await dialog.getByRole('button', { name: 'Add Company' }).click()
    await expect(card(window2, 'Acme')).toBeVisible()
    await expect(card(page, 'Acme')).toBeVisible()
  })

  await step('an undo takes it away in both, and a redo brings it back', async () => {
    const { data } = await user.client.from('changes').select('batch').limit(1).single()
    await user.client.rpc('undo_batch', { batch: data?.batch ?? '' }).throwOnError()
    await expect(card(page, 'Acme')).toBeHidden()
    await expect(card(window2, 'Acme')).toBeHidden()
    const { data: undone } = await user.client
      .from('changes')
      .select('batch')
      .not('undoes', 'is', null)
      .single()
    await user.client.rpc('undo_batch', { batch: undone?.batch ?? '' }).throwOnError()
    await expect(card(page, 'Acme')).toBeVisible()
    await expect(card(window2, 'Acme')).toBeVisible()
  })

  await step('what is typed stays, with its focus, while the other window writes', async () => {
    await page.getByRole('button', { name: 'Add Company' }).first().click()
    const name = page.getByRole('dialog', { name: 'Add Company' }).getByLabel('Company Name *')
    await name.pressSequentially('Half a na')
    await add(user, 'Borealis')
    await expect(card(window2, 'Borealis')).toBeVisible()
    // Behind the form, which hides it from the tree of roles.
    await expect(page.locator('article', { hasText: 'Borealis' })).toBeAttached()
    await expect(name).toBeFocused()
    await name.pressSequentially('me')
    await expect(name).toHaveValue('Half a name')
    await name.fill('')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await longStep('pins and settings follow', async () => {
    const { data } = await user.client.from('companies').select('id').eq('name', 'Acme').single()
    const pin = { kind: 'companies', id: data?.id ?? '', is_pinned: true }
    await user.client.rpc('pin_record', pin).throwOnError()
    const sidebar = page.getByRole('navigation').filter({ hasText: 'Dashboard' })
    await expect(sidebar.getByRole('link', { name: /Acme/ })).toBeVisible()
    await user.client.from('preferences').update({ theme: 'dark' }).gte('week_starts_on', 0)
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  await longStep('a selection stays, and a new row comes in beside it', async () => {
    await user.client.from('contacts').insert({ first_name: 'Ada' }).throwOnError()
    await page.goto('/app/contacts')
    await page.getByRole('checkbox', { name: /Ada/ }).check()
    await user.client.from('contacts').insert({ first_name: 'Bob' }).throwOnError()
    await expect(page.getByRole('checkbox', { name: /Bob/ })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /Ada/ })).toBeChecked()
    await expect(page.getByRole('checkbox', { name: /Bob/ })).not.toBeChecked()
  })

  await longStep('a list that was scrolled stays where it is', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ first_name: `Person ${n}.` }))
    await user.client.from('contacts').insert(many).throwOnError()
    await expect(page.getByText('62 contacts', { exact: true })).toBeVisible()
    await page.getByRole('table').hover()
    await page.mouse.wheel(0, 1200)
    // Added in one go, they stand in no order that is known here: whoever stands in the middle is looked at.
    const inTheMiddle = () =>
      page.evaluate(() => {
        const { innerWidth: width, innerHeight: height } = window
        const row = document.elementFromPoint(width / 2, height / 2)?.closest('tr')
        const isFarDown = Number(row?.getAttribute('aria-rowindex')) > 10
        return (isFarDown && /Person \d+\./.exec(row?.textContent ?? '')?.[0]) || ''
      })
    await expect.poll(inTheMiddle).not.toBe('')
    const row = page.getByRole('row', { name: await inTheMiddle() })
    const place = async () => (await row.boundingBox())?.y
    const before = await place()
    await user.client.from('contacts').insert({ first_name: 'Aaron' }).throwOnError()
    await user.client.from('contacts').insert({ first_name: 'Zoe' }).throwOnError()
    await expect(page.getByText('64 contacts', { exact: true })).toBeVisible()
    await expect.poll(place).toBe(before)
  })

  await longStep('so do cards and the agenda, which scroll with the page', async () => {
    const day = (place: number) => new Date(Date.now() + place * 86_400_000).toISOString()
    const tasks = (name: string, days: number[]) =>
      days.map((each) => ({ title: `${name} ${each}.`, due_date: day(each) }))
    const later = Array.from({ length: 60 }, (_, place) => 20 + place)
    await user.client.from('tasks').insert(tasks('Later', later)).throwOnError()
    let count = later.length
    for (const view of ['cards', 'agenda']) {
      await page.goto(`/app/tasks?view=${view}&sort=due&dir=asc`)
      await expect(page.getByText(`${count} tasks`, { exact: true })).toBeVisible()
      const task = page.getByRole('listitem').filter({ hasText: 'Later 50.' })
      await page.mouse.move(700, 600)
      await expect
        .poll(async () => {
          if (!(await task.isVisible())) await page.mouse.wheel(0, 400)
          return task.isVisible()
        })
        .toBe(true)
      const place = async () => Math.round((await task.boundingBox())?.y ?? 0)
      let before = Number.NaN
      // The wheel may still be turning.
      await expect
        .poll(async () => {
          const last = before
          before = await place()
          return last === before
        })
        .toBe(true)
      // As many as fill a row of cards.
      await user.client
        .from('tasks')
        .insert(tasks(`Sooner in ${view}`, [1, 2, 3]))
        .throwOnError()
      count += 3
      await expect(page.getByText(`${count} tasks`, { exact: true })).toBeAttached()
      await expect.poll(place).toBe(before)
    }
  })

  await step('another account has seen nothing of it', async () => {
    await expect(elsewhere.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(elsewhere.locator('article')).toHaveCount(0)
  })

  await step('a session that ends elsewhere leaves the other windows at once', async () => {
    await user.client.auth.signOut({ scope: 'global' })
    await expect(window2).toHaveURL(/\/auth/, { timeout: 90_000 })
  })
  await stranger.close()
})

test('a connection that died unheard is caught up with: after another network, and after sleep', async ({
  page,
  signUp,
}) => {
  const user = await signUp()
  let isDead = false
  // Neither side hears that it ended, as when a laptop sleeps or takes another network.
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      if (!isDead) server.send(message)
    })
    server.onMessage((message) => {
      if (!isDead) socket.send(message)
    })
  })
  await openAs(page, user, '/app/companies')
  await add(user, 'Heard')
  await expect(card(page, 'Heard')).toBeVisible()

  isDead = true
  await add(user, 'On another network')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(card(page, 'On another network')).toBeVisible()

  await turn(page, 'hidden')
  await add(user, 'While it slept')
  await turn(page, 'visible', 60_000)
  await expect(card(page, 'While it slept')).toBeVisible()
})

async function openAs(page: Page, { session }: Pick<User, 'session'>, path: string) {
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    sessionKey,
    JSON.stringify(session),
  ] as const)
  const live = page.waitForEvent('websocket')
  await page.goto(path)
  await live
  return page
}

/** As when the window is covered or looked at again, so many milliseconds later. */
async function turn(page: Page, state: 'hidden' | 'visible', later = 0): Promise<void> {
  await page.evaluate(
    ([shown, ms]) => {
      const now = Date.now
      Date.now = () => now() + ms
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: shown })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    [state, later] as const,
  )
}
