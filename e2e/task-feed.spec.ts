import type { Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, farFrom, type User } from './fixtures.ts'
import { hold, settled } from './requests.ts'
import {
  addRecords,
  addTasks,
  button,
  card,
  checkbox,
  counter,
  expectMessage,
  fillDue,
  inDays,
  inMinutes,
  type NewTask,
  overdue,
  pages,
  path,
  tab,
  test as tasksTest,
  zoneAtNoon,
} from './task-list.ts'

/** Opens the dashboard, where no tasks are, with some there. */
const test = tasksTest.extend<{ start: (...tasks: NewTask[]) => Promise<User> }>({
  start: async ({ page, signUp, begin }, use) => {
    await use(async (...tasks) => {
      const user = await signUp()
      await addTasks(user, ...tasks)
      await begin(user, '/app/dashboard')
      await expect(feedButton(page)).toBeVisible()
      return user
    })
  },
})

const feedButton = (page: Page) => page.getByRole('button', { name: /^Task feed, / })
const feed = (page: Page) => page.getByRole('dialog', { name: 'Task feed' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const lines = (scope: Locator) => scope.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
const badge = (page: Page) => page.locator('.mantine-Indicator-root[data-urgent]')

async function openFeed(page: Page): Promise<void> {
  await feedButton(page).click()
  await expect(feed(page).getByRole('tab').first()).toBeVisible()
}

async function openPanel(page: Page): Promise<void> {
  await button(page, 'Notifications').click()
  await expect(panel(page)).toBeVisible()
}

test('Task Feed dropdown and Notifications panel', async ({
  page,
  start,
  step,
  longStep,
  signUp,
  begin,
  scan,
}) => {
  await start()

  await step(
    "Empty texts: 'No tasks yet' or 'No {tab} tasks'; 'Loading tasks...' shows while loading",
    async () => {
      const release = await hold(page, pages)
      await openFeed(page)
      await expect(feed(page).getByText('Loading tasks...', { exact: true })).toBeVisible()
      release()
      await expect(feed(page).getByText('No tasks yet', { exact: true })).toBeVisible()
      await tab(feed(page), 'Pending (0)').click()
      await expect(feed(page).getByText('No pending tasks', { exact: true })).toBeVisible()
      await tab(feed(page), 'Done (0)').click()
      await expect(feed(page).getByText('No done tasks', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(feed(page)).toBeHidden()
      await expect(feedButton(page)).toBeFocused()
    },
  )

  const three: NewTask[] = [
    { title: 'Done', completed: true },
    { title: 'Soon', due_date: inDays(30) },
    { title: 'Call', priority: 'urgent' },
  ]

  await step(
    'a badge of the total number of tasks, red when any pending urgent task exists',
    async () => {
      await start(...three)
      await expect(badge(page)).toHaveText('3')
      await expect(badge(page)).toHaveAttribute('data-urgent', 'true')
      await expect(badge(page).locator('.mantine-Indicator-indicator')).toHaveCSS(
        'background-color',
        /rgb\((19\d|2\d\d), \d{1,2}, \d{1,2}\)/,
      )
      await openFeed(page)
      await checkbox(feed(page), 'Complete Call').click()
      await expect(badge(page)).toHaveAttribute('data-urgent', 'false')
      await expect(badge(page)).toHaveText('3')
    },
  )

  await longStep(
    'Tabs: All, Pending (n), Done (n), and Overdue (n), the last shown only when overdue tasks exist',
    async () => {
      await expect(feed(page).getByRole('tab')).toHaveText(['All', 'Pending (1)', 'Done (2)'])
      await expect(lines(feed(page))).toHaveText([/^Call/, /^Soon/, /^Done/])
      await tab(feed(page), 'Done (2)').click()
      await expect(lines(feed(page))).toHaveText([/^Call/, /^Done/])
      await start(...three, overdue('Late'))
      await openFeed(page)
      await expect(feed(page).getByRole('tab')).toHaveText([
        'All',
        'Pending (3)',
        'Done (1)',
        'Overdue (1)',
      ])
      await tab(feed(page), 'Overdue (1)').click()
      await expect(lines(feed(page))).toHaveText([/^Late/])
      await checkbox(feed(page), 'Complete Late').click()
      await expect(feed(page).getByRole('tab')).toHaveText(['All', 'Pending (2)', 'Done (2)'])
      await expect(tab(feed(page), 'All')).toHaveAttribute('aria-selected', 'true')
    },
  )

  const ten = Array.from({ length: 9 }, (_, n) => ({ title: `Task ${n}` }))

  await longStep(
    "It lists at most 10 tasks with a note 'Showing 10 of N tasks', only above ten",
    async () => {
      await start(overdue('Long ago'), ...ten)
      await openFeed(page)
      await expect(lines(feed(page))).toHaveCount(10)
      await expect(feed(page).getByText(/^Showing/)).toHaveCount(0)
      await start(overdue('Long ago'), ...ten, { title: 'One more' })
      await openFeed(page)
      await expect(lines(feed(page))).toHaveCount(10)
      await expect(lines(feed(page)).first()).toContainText('One more')
      await test.step('the feed is accessible', () => scan(feed(page), { contrast: true }))
      const link = (name: string) => feed(page).getByRole('link', { name, exact: true })
      await expect(link('Showing 10 of 11 tasks')).toHaveAttribute('href', path)
      // What is overdue is older than what is shown: the feed says so, and leads to it.
      await tab(feed(page), 'Pending (11)').click()
      await expect(link('Showing 10 of 11 tasks')).toHaveAttribute('href', `${path}?tab=pending`)
      await link('1 overdue task not shown').click()
      await expect(page).toHaveURL(`${path}?tab=overdue`)
      await expect(feed(page)).toBeHidden()
      await expect(card(page, 'Long ago')).toBeVisible()
      // On the screen it leads to, too.
      await openPanel(page)
      await panel(page).getByRole('link', { name: 'Showing 10 of 11 tasks', exact: true }).click()
      await expect(panel(page)).toBeHidden()
      await expect(page).toHaveURL(path)
    },
  )

  await longStep(
    'short labels, a tick that shows everywhere, and links that lead away',
    async () => {
      const user = await signUp()
      const { contact_id } = await addRecords(user)
      await addTasks(
        user,
        ...ten,
        { title: 'Old' },
        { title: 'Call', contact_id, due_date: inDays(1) },
      )
      await begin(user, path)
      await expect(card(page, 'Call')).toBeVisible()
      await settled(page)
      await openFeed(page)
      await expect(lines(feed(page)).getByText('Tomorrow', { exact: true })).toBeVisible()
      await expect(card(page, 'Call').getByText('Due Tomorrow', { exact: true })).toBeVisible()
      await checkbox(feed(page), 'Complete Call').click()
      await expectMessage(page, 'Great job! Keep up the momentum!')
      await expect(card(page, 'Call')).toContainText('Completed')
      await lines(feed(page)).getByRole('link', { name: 'Ada Byron' }).click()
      await expect(page).toHaveURL(`/app/contacts/${contact_id}`)
      await expect(feed(page)).toBeHidden()
    },
  )

  await longStep('feed and panel share the data of the screen: no second request', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Tasks', exact: true }).click()
    await expect(card(page, 'Call')).toBeVisible()
    // It was left open here by a link: that closed it for good.
    await expect(feed(page)).toBeHidden()
    await settled(page)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/rpc/task_')) asked.push(request.url())
    })
    await openFeed(page)
    await expect(lines(feed(page))).toHaveCount(10)
    await page.keyboard.press('Escape')
    await openPanel(page)
    await expect(lines(panel(page))).toHaveCount(10)
    await settled(page)
    expect(asked).toEqual([])
  })

  await step(
    "title Notifications, subtitle 'Stay on top of your tasks'; four counters: Overdue, Due Today, Pending, Completed; tabs: All, Pending, Overdue, Done",
    async () => {
      const user = await signUp()
      const time_zone = zoneAtNoon()
      await user.client
        .from('preferences')
        .update({ time_zone })
        .eq('user_id', user.session.user.id)
      await addTasks(
        user,
        { title: 'Whenever' },
        { title: 'Soon', due_date: inMinutes(60) },
        overdue('Late'),
        { title: 'Done', completed: true },
      )
      await begin(user, '/app/dashboard')
      await openPanel(page)
      await expect(panel(page).getByRole('heading', { name: 'Notifications' })).toBeVisible()
      await expect(
        panel(page).getByText('Stay on top of your tasks', { exact: true }),
      ).toBeVisible()
      for (const [name, count] of [
        ['Overdue', '1'],
        // What is due earlier today is due today too.
        ['Due Today', '2'],
        ['Pending', '3'],
        ['Completed', '1'],
      ] as const) {
        await expect(counter(panel(page), name)).toHaveText(`${count}${name}`)
      }
      await test.step('the panel is accessible', () => scan(panel(page), { contrast: true }))
      await expect(panel(page).getByRole('tab')).toHaveText(['All', 'Pending', 'Overdue', 'Done'])
      for (const [name, shown] of [
        ['All', [/^Done/, /^Late/, /^Soon/, /^Whenever/]],
        ['Pending', [/^Late/, /^Soon/, /^Whenever/]],
        ['Overdue', [/^Late/]],
        ['Done', [/^Done/]],
      ] as const) {
        await tab(panel(page), name).click()
        await expect(lines(panel(page))).toHaveText([...shown])
      }
      await checkbox(panel(page), 'Reopen Done').click()
      await expect(panel(page).getByText('No done tasks', { exact: true })).toBeVisible()
      await expect(counter(panel(page), 'Pending')).toHaveText('4Pending')
      await button(panel(page), 'Close').click()
      await expect(panel(page)).toBeHidden()
      await expect(button(page, 'Notifications')).toBeFocused()
    },
  )
})

test.describe('what the clock changes', () => {
  test("Overdue comes by itself when its time comes: cards, tabs, banner, feed and panel; at midnight 'Tomorrow' becomes 'Today'", {
    tag: '@long',
  }, async ({ page, step, signUp, signIn }) => {
    await farFrom('hour')
    const user = await signUp()
    // Where it is between eleven and midnight now.
    const hour = new Date().getUTCHours()
    const ahead = hour > 10 ? 23 - hour : -1 - hour
    const time_zone = `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`
    await user.client.from('preferences').update({ time_zone }).eq('user_id', user.session.user.id)
    const minutes = 60 - new Date().getUTCMinutes()
    await addTasks(
      user,
      { title: 'Write', due_date: inMinutes(minutes + 30) },
      { title: 'Call', due_date: inMinutes(minutes + 90) },
    )
    await signIn(user)
    await page.clock.install()
    await page.goto(path)
    await expect(page.getByRole('tab')).toHaveCount(3)
    await step("at midnight 'Tomorrow' becomes 'Today'", async () => {
      await expect(card(page, 'Write').getByText('Due Tomorrow', { exact: true })).toBeVisible()
      await openPanel(page)
      await expect(counter(panel(page), 'Due Today')).toHaveText('0Due Today')
      await expect(lines(panel(page)).getByText('Tomorrow', { exact: true })).toHaveCount(2)
      await page.clock.fastForward(minutes * 60_000)
      await expect(lines(panel(page)).getByText('Today', { exact: true })).toHaveCount(2)
      await expect(counter(panel(page), 'Due Today')).toHaveText('2Due Today')
      await page.keyboard.press('Escape')
      await expect(card(page, 'Write').getByText('Due Today', { exact: true })).toBeVisible()
    })
    await step('what falls due is overdue everywhere', async () => {
      await page.clock.fastForward('31:00')
      await expect(card(page, 'Write').getByText('Overdue', { exact: true })).toHaveCount(2)
      await expect(tab(page, 'Overdue (1)')).toBeVisible()
      await expect(page.getByRole('alert').filter({ hasText: 'Overdue Tasks' })).toBeVisible()
      await openFeed(page)
      await expect(tab(feed(page), 'Overdue (1)')).toBeVisible()
      await expect(lines(feed(page)).getByText('Overdue', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await openPanel(page)
      await expect(counter(panel(page), 'Overdue')).toHaveText('1Overdue')
    })
  })
})

type Shown = { title: string; body: string; tag: string }
type Stubbed = typeof globalThis & {
  shown: { notification: Shown; click: () => void }[]
  asked: number
}

/** Puts a Notification of our own in place of the browser's; it answers like this when asked. */
async function stubNotifications(page: Page, answer: NotificationPermission): Promise<void> {
  await page.addInitScript((given) => {
    const stage = globalThis as Stubbed
    stage.shown = []
    stage.asked = 0
    let permission = localStorage.getItem('stub-permission') ?? 'default'
    class Stub {
      onclick: (() => void) | null = null
      static get permission() {
        return permission
      }
      static async requestPermission() {
        stage.asked += 1
        permission = given
        localStorage.setItem('stub-permission', given)
        return given
      }
      constructor(title: string, { body = '', tag = '' }: NotificationOptions = {}) {
        stage.shown.push({ notification: { title, body, tag }, click: () => this.onclick?.() })
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Stub })
  }, answer)
}

const shownIn = (page: Page) =>
  page.evaluate(() => (globalThis as Stubbed).shown.map(({ notification }) => notification.title))

test.describe('Reminders', () => {
  test('a browser notification at the due time if the user allowed it, asked in context, never at load; of two tabs one reminds', {
    tag: '@long',
  }, async ({ page, context, signUp, signIn }) => {
    const user = await signUp()
    await addTasks(
      user,
      { title: 'Call', due_date: inMinutes(10) },
      { title: 'Done', due_date: inMinutes(10), completed: true },
      overdue('Late'),
    )
    await signIn(user)
    await stubNotifications(page, 'granted')
    await page.clock.install()
    await page.goto('/app/dashboard')
    await openPanel(page)
    expect(await page.evaluate(() => (globalThis as Stubbed).asked)).toBe(0)
    const remind = panel(page).getByRole('switch', { name: 'Remind me in this browser' })
    await expect(remind).not.toBeChecked()
    await remind.click()
    await expect(remind).toBeChecked()
    const other = await context.newPage()
    await stubNotifications(other, 'granted')
    await other.goto('/app/dashboard')
    await other.waitForLoadState('networkidle')
    await settled(page)
    expect([await shownIn(page), await shownIn(other)]).toEqual([[], []])
    // One clock for both.
    await page.clock.fastForward('09:00')
    expect([await shownIn(page), await shownIn(other)]).toEqual([[], []])
    await page.clock.fastForward('01:01')
    await expect
      .poll(async () => [...(await shownIn(page)), ...(await shownIn(other))])
      .toEqual(['Call'])
    // Not again, neither later nor after a reload.
    await page.clock.fastForward('01:00')
    expect([...(await shownIn(page)), ...(await shownIn(other))]).toEqual(['Call'])
    const teller = (await shownIn(page)).length > 0 ? page : other
    await teller.evaluate(() => (globalThis as Stubbed).shown[0]?.click())
    await expect(teller).toHaveURL(path)
    await expect(card(teller, 'Call')).toBeVisible()
    await other.close()
    await page.goto('/app/dashboard')
    await openPanel(page)
    await expect(remind).toBeChecked()
    await settled(page)
    expect(await shownIn(page)).toEqual([])
    await test.step('a task that is made while the app is open is reminded of', async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('main').getByRole('button', { name: 'Create Task' }).click()
      const form = page.getByRole('dialog', { name: 'Create New Task' })
      await form.getByLabel('Title').fill('Write')
      // The clock of the page is ahead.
      const [day = '', time = ''] = inMinutes(30).slice(0, 16).split('T')
      await fillDue(form, day, time)
      await button(form, 'Create New Task').click()
      await expect(form).toBeHidden()
      await settled(page)
      await page.clock.fastForward('20:00')
      await expect.poll(() => shownIn(page)).toEqual(['Write'])
    })
    // Until the user has enough.
    await addTasks(user, { title: 'Too much', due_date: inMinutes(45) })
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await openPanel(page)
    await remind.click()
    await expect(remind).not.toBeChecked()
    await page.clock.fastForward('30:00')
    expect(await shownIn(page)).toEqual(['Write'])
  })

  test('when they are blocked, the panel says how to allow them', async ({
    page,
    signUp,
    signIn,
  }) => {
    await signIn(await signUp())
    await stubNotifications(page, 'denied')
    await page.goto('/app/dashboard')
    await openPanel(page)
    await panel(page).getByRole('switch', { name: 'Remind me in this browser' }).click()
    await expect(panel(page).getByText(/Allow them in the site settings/)).toBeVisible()
    await expect(panel(page).getByRole('switch')).toHaveCount(0)
  })
})

test('feed and panel are accessible and fit on the phone', { tag: '@phone' }, async ({
  page,
  signUp,
  begin,
  scan,
}) => {
  const user = await signUp()
  const { contact_id } = await addRecords(user)
  await addTasks(
    user,
    ...Array.from({ length: 10 }, (_, n) => ({ title: `Task ${n}` })),
    { title: 'Done', completed: true },
    { ...overdue('Late'), contact_id, priority: 'urgent' },
  )
  await begin(user, '/app/settings')
  await openFeed(page)
  await expect(lines(feed(page))).toHaveCount(10)
  await scan(feed(page))
  await expectNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await openPanel(page)
  await expect(lines(panel(page))).toHaveCount(10)
  await scan(panel(page))
  await expectNoSidewaysScroll(page)
})
