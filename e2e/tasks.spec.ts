import type { Page } from '@playwright/test'
import { expectToast } from './auth-form.ts'
import { pressEverything } from './crawl.ts'
import { expectDraggable } from './draggable.ts'
import { expect, expectFirstOnScreen, expectNoSidewaysScroll, failedRequests } from './fixtures.ts'
import { visit } from './journey.ts'
import { hold, settled } from './requests.ts'
import {
  addRecords,
  addTasks,
  button,
  card,
  checkbox,
  choice,
  choose,
  counter,
  dialog,
  expectMessage,
  expectTitles,
  field,
  fillDue,
  inDays,
  inMinutes,
  openEditForm,
  openNewForm,
  overdue,
  pages,
  path,
  rest,
  search,
  stored,
  tab,
  test,
  zoneAtNoon,
} from './task-list.ts'

const danger = 'rgb(198, 42, 47)'
/** As a date-time input holds it, in the time zone of these tests. */
const typed = (moment: string) => moment.slice(0, 16)

test.use({ expectedErrors: failedRequests })

test('the screen: title, cards, counters, tabs, search, and what it says while nothing is there', async ({
  page,
  open,
  step,
  longStep,
  signUp,
  begin,
}) => {
  await open()
  const banner = page.getByRole('alert').filter({ hasText: 'Overdue Tasks' })

  await step(
    "Empty state 'No tasks found' with 'Create your first task to get started'",
    async () => {
      await expect(counter(page, 'Completion Rate')).toContainText('0%')
      await expect(page.getByRole('heading', { name: 'No tasks found', exact: true })).toBeVisible()
      await expect(
        page.getByText('Create your first task to get started', { exact: true }),
      ).toBeVisible()
      await button(page, 'Create your first task').click()
      await expect(dialog(page)).toBeVisible()
    },
  )

  const few = [
    { title: 'Call Müller' },
    { title: 'Write', description: 'about the 50% offer' },
    { title: 'Done', completed: true },
  ]

  await step("Loading text: 'Loading tasks...'", async () => {
    const user = await signUp()
    await addTasks(user, ...few)
    const release = await hold(page, pages)
    await begin(user, path)
    await expect(page.getByText('Loading tasks...', { exact: true })).toBeVisible()
    release()
    await expect(card(page, 'Write')).toBeVisible()
    await expect(page.getByText('Loading tasks...', { exact: true })).toBeHidden()
  })

  await step(
    "Title 'Task Management', subtitle 'Stay organized and track your progress', newest first",
    async () => {
      await expect(page.getByRole('heading', { name: 'Task Management', level: 1 })).toBeVisible()
      await expect(
        page.getByText('Stay organized and track your progress', { exact: true }),
      ).toBeVisible()
      await expect(page).toHaveTitle('Tasks · Solo CRM')
      await expectTitles(page, ['Done', 'Write', 'Call Müller'])
      await expect(page.getByText('3 tasks', { exact: true })).toBeVisible()
    },
  )

  await step(
    'Stat cards: Total Tasks, Pending, Completed, Completion Rate (with a progress bar), 0 if no tasks',
    async () => {
      await expect(counter(page, 'Total Tasks')).toContainText('3')
      await expect(counter(page, 'Pending')).toContainText('2')
      await expect(counter(page, 'Completed')).toContainText('1')
      await expect(counter(page, 'Completion Rate')).toContainText('33%')
      await expect(page.getByRole('progressbar', { name: 'Completion Rate' })).toHaveAttribute(
        'aria-valuenow',
        '33',
      )
    },
  )

  await longStep('Task cards in a 1/2/3-column grid', async () => {
    for (const [width, columns] of [
      [1000, 2],
      [600, 1],
      [1440, 3],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await expect
        .poll(() =>
          page
            .getByRole('article')
            .evaluateAll((all) => new Set(all.map((each) => each.getBoundingClientRect().x)).size),
        )
        .toBe(columns)
    }
  })

  await step("Search 'Search tasks...' by title and description, in the address", async () => {
    await search(page).fill('muller')
    await expectTitles(page, ['Call Müller'])
    await expect(page).toHaveURL(`${path}?q=muller`)
    // The tabs count what the search finds.
    await expect(page.getByRole('tab')).toHaveText([
      'All Tasks (1)',
      'Pending (1)',
      'Completed (0)',
    ])
    await expect(counter(page, 'Total Tasks')).toContainText('3')
    await search(page).fill('50%')
    await expectTitles(page, ['Write'])
    await search(page).fill('nothing')
    await expect(page.getByText('0 tasks', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No tasks found', exact: true })).toBeVisible()
    await expect(page.getByText('Try adjusting your search terms', { exact: true })).toBeVisible()
    await button(page, 'Clear search and filters').click()
    await expectTitles(page, ['Done', 'Write', 'Call Müller'])
    await expect(banner).toHaveCount(0)
    await expect(page.getByRole('tab')).toHaveCount(3)
  })

  await step(
    'A red Overdue Tasks banner appears when overdue tasks exist; tabs All Tasks (n), Pending (n), Completed (n), Overdue (n, only if any exist)',
    async () => {
      await open(...few, overdue('Late'))
      await expect(banner).toContainText('1 task past due')
      await expect(banner.getByText('Overdue Tasks', { exact: true })).toHaveCSS('color', danger)
      await expect(page.getByRole('tab')).toHaveText([
        'All Tasks (4)',
        'Pending (3)',
        'Completed (1)',
        'Overdue (1)',
      ])
      await tab(page, 'Pending (3)').click()
      await expectTitles(page, ['Late', 'Write', 'Call Müller'])
      await tab(page, 'Completed (1)').click()
      await expectTitles(page, ['Done'])
      await button(banner, 'View').click()
      await expect(page).toHaveURL(`${path}?tab=overdue`)
      await expect(tab(page, 'Overdue (1)')).toHaveAttribute('aria-selected', 'true')
      await expectTitles(page, ['Late'])
      // With the last one the tab goes, and the screen shows all again.
      await checkbox(page, 'Complete Late').click()
      await expect(tab(page, 'All Tasks (4)')).toHaveAttribute('aria-selected', 'true')
      await expect(page.getByRole('tab')).toHaveCount(3)
      await expect(banner).toHaveCount(0)
      await expect(page).toHaveURL(path)
    },
  )

  await longStep('150 tasks scroll with at most 60 cards in the document', async () => {
    const user = await signUp()
    const many = Array.from({ length: 150 }, (_, n) => ({
      title: `Task ${String(n).padStart(3, '0')}`,
    }))
    const all = [...many, { title: 'Oldest' }]
    expect((await user.client.from('tasks').insert(all)).error).toBeNull()
    await begin(user, `${path}?sort=title&dir=desc`)
    await expect(page.getByText('151 tasks', { exact: true })).toBeVisible()
    let most = 0
    await expect(async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      most = Math.max(most, await page.getByRole('article').count())
      await expect(card(page, 'Oldest')).toBeVisible({ timeout: 50 })
    }).toPass({ intervals: [50] })
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(60)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.getByText('Agenda', { exact: true }).click()
    await expect(page.getByRole('heading', { name: 'No date' })).toBeVisible()
    expect(
      await page.getByRole('list', { name: 'Agenda' }).getByRole('listitem').count(),
    ).toBeLessThan(61)
  })
})

test('cards with their colours, labels and dates, the agenda of the same tasks, filter and sort', async ({
  page,
  signUp,
  begin,
  step,
  longStep,
}) => {
  const user = await signUp()
  const time_zone = zoneAtNoon()
  await user.client.from('preferences').update({ time_zone }).eq('user_id', user.session.user.id)
  const inZone = (moment: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: time_zone, ...options }).format(new Date(moment))
  const [today, tomorrow, weekday, later] = [
    inMinutes(60),
    inDays(1),
    inDays(6),
    inDays(8),
  ] as const
  await addTasks(
    user,
    overdue('An hour ago'),
    { title: 'In an hour', due_date: today, priority: 'low' },
    { title: 'In a day', due_date: tomorrow, priority: 'medium' },
    { title: 'In six days', due_date: weekday, priority: 'high' },
    { title: 'In eight days', due_date: later, priority: 'urgent' },
    { title: 'Whenever' },
    { title: 'Done', completed: true },
  )
  await begin(user, path)
  await expect(card(page, 'Done')).toBeVisible()

  await step(
    'Colours: low blue, medium yellow, high orange, urgent red; urgent and high show a warning icon, others a clock icon',
    async () => {
      for (const [title, name, color, icon] of [
        ['In an hour', 'Low', 'blue', 'clock'],
        ['In a day', 'Medium', 'yellow', 'clock'],
        ['In six days', 'High', 'orange', 'warning'],
        ['In eight days', 'Urgent', 'red', 'warning'],
      ] as const) {
        const badge = card(page, title).locator(`[data-color=${color}]`)
        await expect(badge).toHaveText(name)
        await expect(badge.locator(`[data-icon=${icon}]`)).toBeVisible()
      }
    },
  )

  await step(
    "Due labels: Overdue; Due Today; Due Tomorrow; the weekday; otherwise month and day; display format 'MMM d, HH:mm'",
    async () => {
      const shown = (moment: string) => {
        const day = inZone(moment, { month: 'short', day: 'numeric' })
        const time = inZone(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
        return `${day}, ${time}`
      }
      for (const [title, label, moment] of [
        ['In an hour', 'Due Today', today],
        ['In a day', 'Due Tomorrow', tomorrow],
        ['In six days', inZone(weekday, { weekday: 'long' }), weekday],
      ] as const) {
        await expect(card(page, title).getByText(label, { exact: true })).toBeVisible()
        await expect(card(page, title).locator('time')).toHaveText(shown(moment))
      }
      // Month and day are in the date itself.
      await expect(card(page, 'In eight days').locator('time')).toHaveText(shown(later))
      await expect(card(page, 'Whenever')).toContainText('No due date')
      await expect(card(page, 'An hour ago').getByText('Overdue', { exact: true })).toHaveCount(2)
    },
  )

  await step('Overdue: red badge, red border, red date', async () => {
    const shown = card(page, 'An hour ago')
    await expect(shown.locator('[data-color=red]')).toHaveText('Overdue')
    await expect(shown.locator('time')).toHaveCSS('color', danger)
    const [red, green] = await shown.evaluate((node) => {
      const color = getComputedStyle(node).borderTopColor
      const canvas = document.createElement('canvas').getContext('2d')
      if (!canvas) return [0, 0]
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    })
    expect((red ?? 0) - (green ?? 0)).toBeGreaterThan(60)
  })

  const rows = page.getByRole('list', { name: 'Agenda' }).getByRole('listitem')

  await step("a view 'Agenda' to choose: overdue, a heading for each day, no date", async () => {
    await page.getByText('Agenda', { exact: true }).click()
    await expect(page).toHaveURL(`${path}?view=agenda`)
    const names = [
      'Overdue',
      'An hour ago',
      'Today',
      'In an hour',
      'Tomorrow',
      'In a day',
      '\\w+day, ',
      'In six days',
      '\\w+day, ',
      'In eight days',
      'No date',
      'Whenever',
    ]
    await expect(rows).toHaveText(names.map((name) => new RegExp(`^${name}`)))
  })

  await longStep('a new date shows under its new heading at once', async () => {
    await button(page, 'Snooze An hour ago').click()
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).click()
    await expect(rows.first()).toHaveText('Today')
    await expect
      .poll(async () => {
        const texts = await rows.allTextContents()
        const place = (name: string) => texts.findIndex((text) => text.startsWith(name))
        return (
          place('Tomorrow') < place('An hour ago') && place('An hour ago') < place('In six days')
        )
      })
      .toBe(true)
    await button(page, 'Edit Whenever').click()
    await field(page, 'Title').fill('Some day')
    await button(dialog(page), 'Save Changes').click()
    await expect(rows.last()).toContainText('Some day')
    await page.getByRole('tab', { name: /^Completed/ }).click()
    await expect(rows).toHaveText([/^Completed/, /^Done/])
  })

  await step(
    'Completed: a Completed badge, struck-through title, dimmed style, and completion date and time shown; a Reopen button is also available',
    async () => {
      await visit(page, path)
      const shown = card(page, 'Done')
      await expect(shown.locator('[data-color=green]')).toHaveText('Completed')
      await expect(shown.getByRole('heading')).toHaveCSS('text-decoration-line', 'line-through')
      await expect(shown.getByRole('heading')).toHaveCSS('color', 'rgb(95, 99, 112)')
      await expect(shown.locator('time')).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d$/)
      await button(shown, 'Reopen task Done').click()
      await expect(checkbox(page, 'Complete Done')).toBeVisible()
      await expect(shown.getByRole('heading')).toHaveCSS('text-decoration-line', 'none')
    },
  )

  const other = await signUp()
  const { contact_id } = await addRecords(other)
  await addTasks(
    other,
    { title: 'Ada', contact_id, priority: 'high', due_date: '2040-05-10T12:00:00Z' },
    { title: 'Urgent', priority: 'urgent', due_date: '2040-05-09T12:00:00Z' },
    { title: 'plain', priority: 'low' },
  )
  await begin(other, path)

  await longStep('sorts both ways; no date comes last', async () => {
    await page.getByRole('button', { name: /^Sort:/ }).click()
    const sortBy = (name: string) => page.getByRole('menuitemradio', { name, exact: true }).click()
    // Each order is compared with the database's in supabase/tests/list-orders.test.ts.
    await expect(page.getByRole('menuitemradio')).toContainText([
      'Created',
      'Due Date',
      'Priority',
      'Title',
    ])
    for (const [name, expected] of [
      ['Due Date', ['Urgent', 'Ada', 'plain']],
      ['Latest first', ['Ada', 'Urgent', 'plain']],
      ['Priority', ['Urgent', 'Ada', 'plain']],
      ['Lowest first', ['plain', 'Ada', 'Urgent']],
    ] as const) {
      await sortBy(name)
      await expectTitles(page, [...expected])
    }
    await sortBy('Created')
    await sortBy('Newest first')
    await expectTitles(page, ['plain', 'Urgent', 'Ada'])
    await page.keyboard.press('Escape')
  })

  await longStep('filters by priority, linked record and due range, in the address', async () => {
    await button(page, 'Filter').click()
    const panel = page.getByRole('dialog', { name: /^Filter/ })
    await panel.getByRole('combobox', { name: 'Priority' }).click()
    await page.getByRole('option', { name: 'High', exact: true }).click()
    await page.getByRole('option', { name: 'Urgent', exact: true }).click()
    await expectTitles(page, ['Urgent', 'Ada'])
    await panel.getByLabel('Due from', { exact: true }).fill('2040-05-10')
    await panel.getByLabel('Due to', { exact: true }).fill('2040-05-10')
    await expectTitles(page, ['Ada'])
    await expect(page).toHaveURL(
      `${path}?priority=high&priority=urgent&from=2040-05-10&to=2040-05-10`,
    )
    await button(panel, 'Clear filters').click()
    await panel.getByRole('combobox', { name: 'Contact' }).click()
    await page.getByRole('option', { name: 'Ada Byron', exact: true }).click()
    await expectTitles(page, ['Ada'])
    await button(page, 'Remove filter Contact Ada Byron').click()
    await expectTitles(page, ['plain', 'Urgent', 'Ada'])
    await visit(page, `${path}?sort=password&from=2040-02-31`)
    await expect(page.getByText(/Tasks can’t be sorted by “password”/)).toBeVisible()
    await expectTitles(page, ['plain', 'Urgent', 'Ada'])
  })
})

test('what is done with a card: ticked, deleted, refused, taken back, and changed in another window', async ({
  page,
  open,
  step,
  longStep,
}) => {
  const user = await open({ title: 'Call', description: 'Soon' }, { title: 'Other' })

  await step(
    'Ticking the checkbox completes a pending task at once, the counters too; a celebratory toast appears and no second one; ticking again reopens',
    async () => {
      const release = await hold(page, rest)
      await checkbox(page, 'Complete Call').click()
      await expect(checkbox(page, 'Reopen Call')).toBeChecked()
      await expect(tab(page, 'Completed (1)')).toBeVisible()
      await expect(counter(page, 'Pending')).toContainText('1')
      await expect(counter(page, 'Completion Rate')).toContainText('50%')
      release()
      await expectToast(page, 'Task Completed!', 'Great job! Keep up the momentum!')
      await expect(page.getByRole('alert')).toHaveCount(1)
      await settled(page)
      await expect(counter(page, 'Completed')).toContainText('1')
      await expect
        .poll(() => stored(user, 'Call'))
        .toMatchObject([{ completed: true, completed_at: expect.any(String) }])
      await page.unroute(rest)
      await checkbox(page, 'Reopen Call').click()
      await expect(checkbox(page, 'Complete Call')).not.toBeChecked()
      await expectMessage(page, 'Task updated successfully')
      await expect
        .poll(() => stored(user, 'Call'))
        .toMatchObject([{ completed: false, completed_at: null }])
    },
  )

  await step(
    "Deleting a task asks for browser confirmation 'Are you sure you want to delete this task?' and can be undone",
    async () => {
      page.once('dialog', (question) => question.dismiss())
      await button(page, 'Delete Call').click()
      await expect(card(page, 'Call')).toBeVisible()
      let asked = ''
      page.once('dialog', async (question) => {
        asked = `${question.type()}: ${question.message()}`
        await question.accept()
      })
      await button(page, 'Delete Call').click()
      await expect(card(page, 'Call')).toHaveCount(0)
      expect(asked).toBe('confirm: Are you sure you want to delete this task?')
      await expectMessage(page, 'Task deleted successfully')
      await expect(tab(page, 'All Tasks (1)')).toBeVisible()
      await button(page, 'Undo').click()
      await expect(card(page, 'Call')).toContainText('Soon')
      await expectTitles(page, ['Other', 'Call'])
      await expect(tab(page, 'All Tasks (2)')).toBeVisible()
    },
  )

  await longStep(
    'a link to a record that was deleted meanwhile is said in words, and the form stays',
    async () => {
      const { contact_id } = await addRecords(user)
      await openNewForm(page)
      await field(page, 'Title').fill('Write')
      await choose(page, 'Contact', 'Ada Byron')
      await user.client.from('contacts').delete().eq('id', contact_id)
      await button(dialog(page), 'Create New Task').click()
      await expectToast(page, 'Error', 'Failed to create task: A linked record no longer exists.')
      await choice(page, 'Contact').fill('')
      await button(dialog(page), 'Create New Task').click()
      await expect(card(page, 'Write')).toBeVisible()
      await expect(dialog(page)).toBeHidden()
      await settled(page)
    },
  )

  await step('a tick that another window did already is no conflict', async () => {
    await user.client.from('tasks').update({ completed: true }).eq('title', 'Other')
    await checkbox(page, 'Complete Other').click()
    await expectToast(page, 'Task Completed!', 'Great job! Keep up the momentum!')
    await expect(checkbox(page, 'Reopen Other')).toBeChecked()
  })
})

test('the form: made, changed, with links, refused in words', async ({
  page,
  open,
  step,
  longStep,
  signUp,
  begin,
}) => {
  const user = await open()

  await step(
    "'New Task' opens 'Create New Task' with Title, Description, Priority (medium), Due Date, Deal, Contact, Company; 'Saving...', 'Task created successfully'",
    async () => {
      await openNewForm(page)
      await expect(field(page, 'Title')).toBeFocused()
      await expect(dialog(page).locator('label')).toHaveText([
        'Title',
        'Description',
        'Priority',
        'Due Date',
        'Time (optional)',
        'Deal',
        'Contact',
        'Company',
        'Repeat',
      ])
      await expect(choice(page, 'Priority')).toHaveValue('Medium')
      await button(dialog(page), 'Create New Task').click()
      await expect(field(page, 'Title')).toHaveAccessibleDescription('Title is required.')
      await field(page, 'Title').fill('   ')
      await button(dialog(page), 'Create New Task').click()
      await expect(field(page, 'Title')).toHaveAttribute('aria-invalid', 'true')
      await field(page, 'Title').fill('Call Ada')
      await field(page, 'Description').fill('About tea')
      const release = await hold(page, rest)
      await button(dialog(page), 'Create New Task').click()
      await expect(button(dialog(page), 'Saving...')).toBeVisible()
      release()
      await expectMessage(page, 'Task created successfully')
      await expect(card(page, 'Call Ada')).toContainText('About tea')
      // An empty due date and no links become null.
      await expect
        .poll(() => stored(user, 'Call Ada'))
        .toMatchObject([
          {
            description: 'About tea',
            priority: 'medium',
            due_date: null,
            deal_id: null,
            contact_id: null,
            company_id: null,
            completed: false,
            repeat: null,
          },
        ])
    },
  )

  await step(
    "'Edit Task' changes everything, links included, and takes links away; 'Task updated successfully'",
    async () => {
      const ids = await addRecords(user)
      await openEditForm(page, 'Call Ada')
      await field(page, 'Title').fill('Call Ada again')
      await choose(page, 'Priority', 'Urgent')
      await fillDue(dialog(page), '2040-11-20', '09:30')
      await choose(page, 'Deal', 'Big deal')
      await choose(page, 'Contact', 'Ada Byron')
      await choose(page, 'Company', 'Acme')
      await button(dialog(page), 'Save Changes').click()
      await expectMessage(page, 'Task updated successfully')
      const shown = card(page, 'Call Ada again')
      await expect(shown.locator('time')).toHaveText('Nov 20, 09:30')
      for (const name of ['Ada Byron', 'Acme', 'Big deal']) await expect(shown).toContainText(name)
      await expect
        .poll(() => stored(user, 'Call Ada again'))
        .toMatchObject([
          {
            ...ids,
            priority: 'urgent',
            due_date: '2040-11-20T09:30:00+00:00',
            due_all_day: false,
          },
        ])
      // A day without a time is due on all of it; half a time is neither.
      await openEditForm(page, 'Call Ada again')
      await expect(field(page, 'Due Date')).toHaveValue('2040-11-20')
      await expect(field(page, 'Time (optional)')).toHaveValue('09:30')
      await field(page, 'Time (optional)').focus()
      await page.keyboard.press('Delete')
      await page.keyboard.press('Enter')
      await expect(field(page, 'Time (optional)')).toHaveAccessibleDescription(
        'Enter a time, or leave it empty.',
      )
      await field(page, 'Time (optional)').fill('')
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toBeHidden()
      await expect(shown.locator('time')).toHaveText('Nov 20')
      await settled(page)
      await expect
        .poll(() => stored(user, 'Call Ada again'))
        .toMatchObject([{ due_date: '2040-11-20T23:59:59+00:00', due_all_day: true }])
      await openEditForm(page, 'Call Ada again')
      await expect(field(page, 'Due Date')).toHaveValue('2040-11-20')
      await expect(field(page, 'Time (optional)')).toHaveValue('')
      for (const label of ['Deal', 'Contact', 'Company']) {
        await choice(page, label).fill('')
      }
      await field(page, 'Due Date').fill('')
      await button(dialog(page), 'Save Changes').click()
      await expect(dialog(page)).toBeHidden()
      await expect(shown).toContainText('No due date')
      await expect
        .poll(() => stored(user, 'Call Ada again'))
        .toMatchObject([
          {
            contact_id: null,
            company_id: null,
            deal_id: null,
            due_date: null,
            due_all_day: false,
          },
        ])
    },
  )

  await longStep(
    "'Add Task' and add task on contacts, companies and record pages prelink; links open their records, whose pages show their tasks",
    async () => {
      const linker = await signUp()
      const { contact_id, company_id } = await addRecords(linker)
      await begin(linker, '/app/contacts')
      await button(page, 'Add Task').click()
      await expect(choice(page, 'Contact')).toHaveValue('')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await button(page, 'Add task for Ada Byron').click()
      await expect(choice(page, 'Contact')).toHaveValue('Ada Byron')
      await field(page, 'Title').fill('Call Ada')
      await button(dialog(page), 'Create New Task').click()
      await expectMessage(page, 'Task created successfully')
      await expect(dialog(page)).toBeHidden()
      await visit(page, '/app/companies')
      await button(page, 'Add task for Acme').click()
      await expect(choice(page, 'Company')).toHaveValue('Acme')
      await field(page, 'Title').fill('Visit Acme')
      await button(dialog(page), 'Create New Task').click()
      await expect(dialog(page)).toBeHidden()
      await visit(page, `/app/contacts/${contact_id}`)
      const tasks = page.getByRole('region', { name: 'Tasks', exact: true })
      await expect(tasks).toContainText('Call Ada')
      await button(tasks, 'Add task').click()
      await expect(choice(page, 'Contact')).toHaveValue('Ada Byron')
      await field(page, 'Title').fill('Write Ada')
      await button(dialog(page), 'Create New Task').click()
      await expect(tasks).toContainText('Write Ada')
      await checkbox(tasks, 'Complete Write Ada').click()
      await expect(tasks).not.toContainText('Write Ada')
      await button(tasks, 'Show completed').click()
      await expect(tasks).toContainText('Write Ada')
      await visit(page, path)
      await card(page, 'Visit Acme').getByRole('link', { name: 'Acme' }).click()
      await expect(page).toHaveURL(`/app/companies/${company_id}`)
      await expect(tasks).toContainText('Visit Acme')
      await page.goBack()
      await card(page, 'Call Ada').getByRole('link', { name: 'Ada Byron' }).click()
      await expect(page).toHaveURL(`/app/contacts/${contact_id}`)
    },
  )
})

test('many at once, repetition, put off, and all of it by keyboard', async ({
  page,
  open,
  step,
  longStep,
  signUp,
  begin,
}) => {
  const user = await open({ title: 'A' }, { title: 'B' }, { title: 'C' })

  await longStep('Bulk complete, reschedule, delete, with Undo', async () => {
    await button(page, 'Select').click()
    await checkbox(page, 'Select A').check()
    await checkbox(page, 'Select B').check()
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect(bar).toContainText('2 selected')
    await button(bar, 'Complete').click()
    await expectMessage(page, '2 tasks updated successfully')
    await expect(tab(page, 'Completed (2)')).toBeVisible()
    await button(page, 'Undo').click()
    await expect(tab(page, 'Completed (0)')).toBeVisible()
    await checkbox(page, 'Select A').check()
    await button(bar, 'Select all 3 that match').click()
    await button(bar, 'Reschedule').click()
    const question = page.getByRole('dialog', { name: 'Reschedule 3 tasks', exact: true })
    await fillDue(question, '2040-11-20', '09:30')
    await button(question, 'Set due date').click()
    await expectMessage(page, '3 tasks updated successfully')
    await expect(page.locator('article time')).toHaveText(Array(3).fill('Nov 20, 09:30'))
    await expect(bar).toHaveCount(0)
    await checkbox(page, 'Select B').check()
    await checkbox(page, 'Select C').check()
    await button(bar, 'Delete selected').click()
    await expectTitles(page, ['A'])
    await expectMessage(page, '2 tasks deleted successfully')
    await button(page, 'Undo').last().click()
    await expectTitles(page, ['C', 'B', 'A'])
    await expect
      .poll(() => stored(user, 'B'))
      .toMatchObject([{ due_date: '2040-11-20T09:30:00+00:00' }])
    await button(page, 'Done selecting').click()
    await expect(checkbox(page, 'Complete A')).toBeVisible()
  })

  await step(
    'Repeating tasks: completing one creates the next, reopening removes the untouched next one',
    async () => {
      await openNewForm(page)
      await field(page, 'Title').fill('Report')
      await choose(page, 'Repeat', 'Weekly')
      await button(dialog(page), 'Create New Task').click()
      await expect(field(page, 'Due Date')).toHaveAccessibleDescription(
        'A repeating task needs a due date.',
      )
      await fillDue(dialog(page), '2040-11-16', '09:00') // a Friday
      await expect(checkbox(dialog(page), 'Friday')).toBeChecked()
      await checkbox(dialog(page), 'Monday').check()
      await button(dialog(page), 'Create New Task').click()
      await expect(card(page, 'Report')).toContainText('Weekly on Mon, Fri')
      // The last click was on this spot, when another card lay there: one that comes at once is taken for a slip.
      await card(page, 'A').hover()
      await checkbox(page, 'Complete Report').click()
      await expect(card(page, 'Report')).toHaveCount(2)
      await expect(card(page, 'Report').first().locator('time')).toHaveText('Nov 19, 09:00')
      await settled(page)
      await checkbox(page, 'Reopen Report').click()
      await expect(card(page, 'Report')).toHaveCount(1)
      await expect(card(page, 'Report').locator('time')).toHaveText('Nov 16, 09:00')
    },
  )

  await longStep(
    'Repeating tasks: on the same day of the week, and some days after completion',
    async () => {
      await openEditForm(page, 'Report')
      await choose(page, 'Repeat', 'Every Friday')
      await expect(checkbox(dialog(page), 'Monday')).toHaveCount(0)
      await button(dialog(page), 'Save Changes').click()
      await expect(card(page, 'Report')).not.toContainText('Mon')
      await expect.poll(() => stored(user, 'Report')).toMatchObject([{ repeat: 'weekly' }])
      await openEditForm(page, 'Report')
      await choose(page, 'Repeat', 'Days after completion')
      await field(page, 'Days after completion').fill('0')
      await button(dialog(page), 'Save Changes').click()
      await expect(field(page, 'Days after completion')).toHaveAccessibleDescription(
        'Enter a number of days between 1 and 3,650.',
      )
      await field(page, 'Days after completion').fill('3')
      await button(dialog(page), 'Save Changes').click()
      await expect(card(page, 'Report')).toContainText('3 days after completion')
      await settled(page)
      await checkbox(page, 'Complete Report').click()
      await expect(card(page, 'Report')).toHaveCount(2)
      const next = (await stored(user, 'Report')).find(({ completed }) => !completed)
      expect(typed(next?.due_date ?? '')).toBe(`${inDays(3).slice(0, 10)}T09:00`)
    },
  )

  await longStep('Snooze: later today, tomorrow, a week later, a date', async () => {
    const busy = await signUp()
    const time_zone = zoneAtNoon()
    await busy.client.from('preferences').update({ time_zone }).eq('user_id', busy.session.user.id)
    await addTasks(busy, { title: 'Call', due_date: inDays(-1) })
    await begin(busy, path)
    const due = card(page, 'Call').locator('time')
    await settled(page)
    const release = await hold(page, rest)
    let last = ''
    // Which days these are: domain/snooze.test.ts.
    for (const name of ['Later today', 'Tomorrow', 'A week later']) {
      await button(page, 'Snooze Call').click()
      const item = page.getByRole('menuitem', { name: new RegExp(`^${name} `) })
      last = ((await item.textContent()) ?? '')
        .slice(name.length)
        .replace(/^\s*[A-Z][a-z]{2},/, '')
        .trim()
      expect(last).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d$/)
      await item.click()
      await expect(due).toHaveText(last)
    }
    // All of them under way at once, and the last one counts.
    release()
    await settled(page)
    await expect(due).toHaveText(last)
    const [kept] = await stored(busy, 'Call')
    expect(Date.parse(kept?.due_date ?? '')).toBeGreaterThan(Date.now())
    await button(page, 'Snooze Call').click()
    await page.getByRole('menuitem', { name: 'Pick a date…', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Snooze task', exact: true })
    await expect(question.getByText('Call', { exact: true })).toBeVisible()
    await expect(field(page, 'Due Date')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
    await expect(field(page, 'Time (optional)')).toHaveValue(last.slice(-5))
    await fillDue(dialog(page), '')
    await button(dialog(page), 'Snooze').click()
    await expect(field(page, 'Due Date')).toHaveAccessibleDescription('Enter a date.')
    await fillDue(dialog(page), '2040-12-24', '08:15')
    await button(dialog(page), 'Snooze').click()
    await expect(dialog(page)).toBeHidden()
    await expect(due).toHaveText('Dec 24, 08:15')
  })
})

async function expectOpen(page: Page, name: string | RegExp): Promise<void> {
  await expect(page.getByRole('dialog', { name })).toBeVisible()
}

test('the tasks screen is accessible with everything open, light and dark', {
  tag: '@long',
}, async ({ page, signUp, begin, scan }) => {
  const user = await signUp()
  const { contact_id, company_id, deal_id } = await addRecords(user)
  await addTasks(
    user,
    { title: 'Done', completed: true, priority: 'low' },
    { ...overdue('Late'), priority: 'high', contact_id, company_id, deal_id },
    { title: 'Next', due_date: inDays(2), priority: 'urgent', repeat: 'daily' },
  )
  await begin(user, path)
  await expect(card(page, 'Late')).toBeVisible()
  await scan()
  await button(page, 'Snooze Late').click()
  await expect(page.getByRole('menu')).toBeVisible()
  await scan(page.getByRole('menu'))
  await page.getByRole('menuitem', { name: 'Pick a date…' }).click()
  await expectOpen(page, 'Snooze task')
  await scan(dialog(page))
  await page.keyboard.press('Escape')
  await openNewForm(page)
  await choose(page, 'Repeat', 'Weekly')
  await button(dialog(page), 'Create New Task').click()
  await expect(field(page, 'Title')).toHaveAttribute('aria-invalid', 'true')
  await scan(dialog(page), { contrast: true })
  await choose(page, 'Repeat', 'Days after completion')
  await expect(field(page, 'Days after completion')).toBeVisible()
  await scan(dialog(page))
  await button(dialog(page), 'Cancel').click()
  await button(page.getByRole('dialog', { name: 'Discard changes?' }), 'Discard').click()
  await expect(dialog(page)).toBeHidden()
  await visit(page, `${path}?sort=nope&priority=high`)
  await button(page, 'Filter (1)').click()
  await expectOpen(page, /^Filter/)
  await scan(page.getByRole('dialog', { name: /^Filter/ }))
  await page.keyboard.press('Escape')
  await button(page, 'Select').click()
  await checkbox(page, 'Select Late').check()
  await scan(page.getByRole('main'))
  await scan(page.getByRole('region', { name: 'Selection' }))
  await visit(page, `${path}?view=agenda`)
  await expect(page.getByRole('list', { name: 'Agenda' })).toBeVisible()
  await scan(page.getByRole('main'))
  await visit(page, `${path}?q=nothing`)
  await expect(page.getByRole('heading', { name: 'No tasks found' })).toBeVisible()
  await scan(page.getByRole('main'))
})

test('the week: a task goes to another day by mouse and by keyboard, and back by Undo', {
  tag: '@long',
}, async ({ page, open, scan }) => {
  await open(
    { title: 'Call', due_date: '2030-05-07T10:00:00Z' },
    { title: 'Offer', due_date: '2030-05-08T10:00:00Z' },
    { title: 'Some day' },
  )
  await visit(page, `${path}?view=week&week=2030-05-08`)
  const tasksOf = (day: string) =>
    page.getByRole('region', { name: day, exact: true }).getByRole('article')
  await expect(tasksOf('Tuesday, May 7')).toHaveText(/Call/)
  await scan(page.getByRole('main'))
  const from = await tasksOf('Tuesday, May 7').boundingBox()
  const to = await page.getByRole('region', { name: 'Thursday, May 9' }).boundingBox()
  if (!from || !to) throw new Error('It is not on the screen.')
  await expectDraggable(page)
  await page.mouse.move(from.x + 60, from.y + from.height - 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 80, from.y + from.height, { steps: 4 })
  await page.mouse.move(to.x + 60, to.y + 200, { steps: 6 })
  await expect(page.locator('[data-target]')).toHaveCount(1)
  await page.mouse.up()
  await expect(tasksOf('Thursday, May 9')).toHaveText(/Call/)
  const toast = page.getByRole('alert').filter({ hasText: 'Moved to Thursday, May 9' })
  await button(toast, 'Undo').click()
  await expect(tasksOf('Tuesday, May 7')).toHaveText(/Call/)
  await button(page, 'Offer').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(tasksOf('Thursday, May 9')).toHaveText(/Offer/)
  // Several keys are one move, and one Undo takes it back.
  await button(page, 'Offer').focus()
  await page.keyboard.press('Shift+ArrowRight')
  const moved = page.getByRole('alert').filter({ hasText: 'Moved to Friday, May 10' })
  await button(moved, 'Undo').click()
  await expect(tasksOf('Wednesday, May 8')).toHaveText(/Offer/)
  await button(page, 'Next week').click()
  await expect(tasksOf('Thursday, May 9')).toHaveCount(0)
  // What has no date stands beside the days of every week, to be put on one; tasks are chosen by mouse here, too.
  await expect(tasksOf('No date')).toHaveText(/Some day/)
  await button(page, 'Select').click()
  await tasksOf('No date').getByRole('checkbox', { name: 'Select Some day' }).check()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected')
  await button(page, 'Done selecting').click()
  await button(page, 'Some day').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByRole('region', { name: 'No date' })).toHaveCount(0)
  await expect(page.getByText(/^May 1[23] – May 1[89], 2030$/)).toBeVisible()
})

test('tasks on the phone', { tag: '@phone' }, async ({ page, open, step, longStep, scan }) => {
  await longStep('a task is made, ticked, put off and deleted on the phone', async () => {
    await open()
    await button(page, 'New Task').tap()
    await field(page, 'Title').fill('Call')
    await button(dialog(page), 'Create New Task').tap()
    // No room is left for a description that it does not have.
    await expect
      .poll(async () => (await card(page, 'Call').boundingBox())?.height)
      .toBeLessThan(150)
    await expectFirstOnScreen(page, card(page, 'Call'))
    await button(page, 'Snooze Call').tap()
    await page.getByRole('menuitem', { name: /^Next week/ }).tap()
    await expect(card(page, 'Call').locator('time')).toBeVisible()
    await checkbox(page, 'Complete Call').tap()
    await expectToast(page, 'Task Completed!', 'Great job! Keep up the momentum!')
    // The line for the next step leaves the navigation free.
    const step = await page.getByRole('form', { name: 'Next step after Call' }).boundingBox()
    const foot = await page.getByRole('navigation', { name: 'Shortcuts' }).boundingBox()
    expect((step?.y ?? 0) + (step?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0)
    page.once('dialog', (question) => question.accept())
    await button(page, 'Delete Call').tap()
    await expect(page.getByRole('heading', { name: 'No tasks found' })).toBeVisible()
  })

  await step('nothing sticks out on the narrowest phone, and it is accessible', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    await open(
      { title: 'Done', completed: true },
      {
        ...overdue('x'.repeat(300)),
        description: 'y'.repeat(300),
      },
    )
    await scan()
    for (const address of [path, `${path}?view=agenda`, `${path}?priority=medium`]) {
      await visit(page, address)
      await expect(page.getByText('x'.repeat(300)).first()).toBeVisible()
      await expectNoSidewaysScroll(page)
    }
    await button(page, 'More options').click()
    await button(page, 'Select').click()
    await page.getByRole('checkbox', { name: /^Select x/ }).check()
    await expectNoSidewaysScroll(page)
    await button(page, 'Reschedule').click()
    await expect(page.getByRole('dialog', { name: 'Reschedule 1 task' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')
    await openNewForm(page)
    await choose(page, 'Repeat', 'Weekly')
    await expectNoSidewaysScroll(page)
    await scan(dialog(page))
  })
})

test('every enabled control on the screen does something, without a script error', async ({
  page,
  open,
}) => {
  test.slow()
  await open({ title: 'acme', priority: 'high' }, overdue('Late'))
  page.on('dialog', (question) => question.accept())
  // Asked for, but not done: the next control is looked for on the same card.
  await page.route(rest, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ json: [{ id: 'acme' }] })
      : route.fallback(),
  )
  const names = await pressEverything(page, {
    address: `${path}?q=acm&priority=high&sort=nope`,
    ready: () => expect(card(page, 'acme')).toBeVisible(),
  })
  expect(names.length).toBeGreaterThan(12)
})
