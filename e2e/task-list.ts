import type { Locator, Page } from '@playwright/test'
import type { Priority, Repeat } from '#domain/task.ts'
import { expect, type User } from './fixtures.ts'
import { test as base } from './journey.ts'
import { inOrder } from './rows.ts'

export type NewTask = {
  title: string
  description?: string
  priority?: Priority
  due_date?: string | null
  due_all_day?: boolean
  completed?: boolean
  contact_id?: string
  company_id?: string
  deal_id?: string
  repeat?: Repeat
  repeat_days?: number[]
  repeat_every?: number
}

export const path = '/app/tasks'
export const pages = '**/rest/v1/rpc/task_page'
export const rest = '**/rest/v1/rpc/write_once'

const minute = 60_000
/** A moment so many minutes from now. */
export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString()
export const inDays = (days: number) => inMinutes(days * 24 * 60)
/** A time zone where it is about noon, whatever the time is here, so that today has a later. */
export function zoneAtNoon(): string {
  const hour = new Date().getUTCHours()
  return `Etc/GMT${hour < 12 ? '-' : '+'}${Math.abs(12 - hour)}`
}
export const overdue = (title: string) => ({ title, due_date: inMinutes(-60) })

/** Adds tasks, the last one the newest. */
export async function addTasks(user: User, ...tasks: NewTask[]): Promise<string[]> {
  const rows = inOrder(tasks)
  if (rows.length === 0) return []
  const { error } = await user.client.from('tasks').insert(rows, { defaultToNull: false })
  expect(error).toBeNull()
  return rows.map(({ id }) => id)
}

/** A contact, a company and a deal to link tasks to. */
export async function addRecords(user: User) {
  const contact = await user.client
    .from('contacts')
    .insert({ first_name: 'Ada', last_name: 'Byron' })
    .select('id')
    .single()
  const company = await user.client.from('companies').insert({ name: 'Acme' }).select('id').single()
  const deal = await user.client.from('deals').insert({ name: 'Big deal' }).select('id').single()
  return {
    contact_id: contact.data?.id ?? '',
    company_id: company.data?.id ?? '',
    deal_id: deal.data?.id ?? '',
  }
}

export async function stored(user: User, title: string) {
  const { data, error } = await user.client.from('tasks').select().eq('title', title)
  expect(error).toBeNull()
  return data ?? []
}

/** Opens the screen as a new account with tasks there already; the last one is the newest. */
export const test = base.extend<{ open: (...tasks: NewTask[]) => Promise<User> }>({
  open: async ({ page, signUp, begin }, use) => {
    await use(async (...tasks) => {
      const user = await signUp()
      await addTasks(user, ...tasks)
      await begin(user, path)
      if (tasks[0]) await expect(card(page, tasks[0].title)).toBeVisible()
      else await expect(page.getByRole('heading', { name: 'No tasks found' })).toBeVisible()
      return user
    })
  },
})

export const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })
export const card = (page: Page, title: string) =>
  page.getByRole('article', { name: title, exact: true })
export const tab = (scope: Page | Locator, name: string) =>
  scope.getByRole('tab', { name, exact: true })
export const checkbox = (scope: Page | Locator, name: string) =>
  scope.getByRole('checkbox', { name, exact: true })
export const search = (page: Page) => page.getByPlaceholder('Search tasks...', { exact: true })
export const dialog = (page: Page) => page.getByRole('dialog', { name: /task$/i })
export const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
export const choice = (page: Page, label: string) =>
  dialog(page).getByRole('combobox', { name: label, exact: true })

/** Says what a counter shows: 'Pending' is 3. */
export const counter = (scope: Page | Locator, name: string) =>
  scope.getByRole('group', { name, exact: true })

export async function expectTitles(page: Page, expected: string[]): Promise<void> {
  await expect
    .poll(() => page.getByRole('article').getByRole('heading').allTextContents())
    .toEqual(expected)
}

export async function openNewForm(page: Page): Promise<void> {
  await button(page, 'New Task').click()
  await expect(page.getByRole('dialog', { name: 'Create New Task', exact: true })).toBeVisible()
}

export async function openEditForm(page: Page, title: string): Promise<void> {
  await button(card(page, title), `Edit ${title}`).click()
  await expect(page.getByRole('dialog', { name: 'Edit Task', exact: true })).toBeVisible()
}

/** Types a due date into a form; a day without a time is a whole day. */
export async function fillDue(form: Locator, day: string, time = ''): Promise<void> {
  await form.getByLabel('Due Date', { exact: true }).fill(day)
  await form.getByLabel('Time (optional)', { exact: true }).fill(time)
}

/** Chooses in a field that offers a list. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await choice(page, label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

export async function expectMessage(page: Page, message: string): Promise<void> {
  await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible()
}
