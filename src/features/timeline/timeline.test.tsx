import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import type { TimelineKind } from '#domain/timeline.ts'
import { listKeys } from '#lib/list-source.ts'
import { askToLog } from './log-request.ts'
import { type Entry, timelineOf, timelineView } from './queries.ts'
import { Timeline } from './timeline.tsx'

afterEach(cleanup)

const subject = { record: 'contact', id: 'c' } as const
const deal = { record: 'deal', id: 'd', name: 'Website relaunch' } as const

let count = 0

function change(of: Partial<Entry & { kind: 'change' }>): Entry {
  count += 1
  const key = `change ${count}`
  const at = `2026-11-15T10:00:${String(59 - (count % 60)).padStart(2, '0')}Z`
  return {
    ...{ id: key, key, at, kind: 'change', origin: null, table_name: 'contacts', row_id: 'c' },
    ...{ verb: 'update', label: 'Ada', before: { role_title: null }, undoes: null, names: null },
    after: { role_title: `Role ${count}` },
    ...of,
  } as Entry
}

function note(
  kind: 'note' | 'call' | 'email',
  of: Partial<Entry> & { outcome?: string } = {},
): Entry {
  const { key, at } = change({})
  const { outcome = null, ...rest } = of
  const links = { contact_id: null, company_id: null, deal_id: 'd' }
  const words = { id: key, kind, body: `Words of the ${kind}`, outcome }
  return {
    ...{ id: `note ${key}`, key: `note ${key}`, at, kind: 'note', origin: null },
    note: { ...words, ...links, happened_at: at, created_at: at, updated_at: at },
    ...rest,
  } as Entry
}

function show(
  rows: Entry[],
  { query = '', kind = null as TimelineKind | null, next = false } = {},
) {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  })
  const source = timelineOf(subject)
  const put = (of: TimelineKind | null, entries: Entry[]) =>
    client.setQueryData([...listKeys.pages(source.key), timelineView(of)], {
      pages: [{ rows: entries, next: next ? { at: '', key: '' } : null }],
      pageParams: [null],
    })
  put(kind, rows)
  put(
    'call',
    rows.filter((row) => row.kind === 'note' && row.note.kind === 'call'),
  )
  client.setQueryData(['preferences'], { time_zone: 'UTC', week_starts_on: 1 })
  const router = createMemoryRouter(
    [{ path: '*', element: <Timeline record="contact" id="c" /> }],
    { initialEntries: [`/app/contacts/c${query}`] },
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { router, put }
}

const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
const folds = () => screen.queryAllByRole('button', { name: /changes$/ })

test('changes of fields fold into one line that unfolds; what people did stands out', () => {
  const move = change({
    ...{ table_name: 'deals', row_id: 'd', label: 'Website relaunch', origin: deal },
    ...{
      before: { stage_id: 'a' },
      after: { stage_id: 'b' },
      names: { a: 'Lead', b: 'Qualified' },
    },
  })
  show([note('call'), change({}), change({}), change({}), move, change({}), change({})])
  expect(folds().map(({ textContent }) => textContent)).toEqual(['3 changes'])
  // The call, the line, the move, and two changes, which are too few.
  expect(lines()).toHaveLength(5)
  const [fold] = folds()
  if (!fold) throw new Error('Nothing is folded.')
  expect(fold.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(fold)
  expect(fold.getAttribute('aria-expanded')).toBe('true')
  expect(lines()).toHaveLength(8)
  fireEvent.click(fold)
  expect(lines()).toHaveLength(5)
})

test('the form of a note stays with what is typed when the note is gone elsewhere, until it is closed', async () => {
  const [call, later] = [note('call'), note('note')]
  const { put } = show([call])
  fireEvent.click(screen.getByRole('button', { name: 'Edit call' }))
  const form = screen.getByRole('form', { name: 'Edit call' })
  const text = within(form).getByRole('textbox', { name: 'Call notes' })
  fireEvent.change(text, { target: { value: 'Half a sentence' } })
  put(null, [later])
  await waitFor(() => expect(lines().join()).toContain('Words of the note'))
  expect(text.isConnected).toBe(true)
  // To another day, too.
  put(null, [{ ...call, at: '2026-11-01T10:00:00Z' }])
  await waitFor(() => expect(lines().join()).not.toContain('Words of the note'))
  expect(text.isConnected).toBe(true)
  put(null, [])
  expect(text).toHaveProperty('value', 'Half a sentence')
  // Nothing is typed any more, so nothing is asked.
  fireEvent.change(text, { target: { value: 'Words of the call' } })
  fireEvent.click(within(form).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(text.isConnected).toBe(false))
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('where changes are asked for, each has its line', () => {
  show([change({}), change({}), change({})], { query: '?timeline=changes', kind: 'change' })
  expect(folds()).toEqual([])
  expect(lines()).toHaveLength(3)
})

test('a folded page does not read on by itself', () => {
  show(
    Array.from({ length: 50 }, () => change({})),
    { next: true },
  )
  expect(folds()).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Show earlier' })).toBeTruthy()
})

test('what comes from another record leads there', () => {
  const task = { table_name: 'tasks', row_id: 't', label: 'Call back', origin: deal }
  const value = { table_name: 'deals', row_id: 'd', label: 'Old name', origin: deal }
  show([
    note('call', { origin: deal }),
    change({ ...task, verb: 'insert', after: null }),
    change({ ...value, before: { value: 1 }, after: { value: 2 } }),
    note('note'),
  ])
  const [call, added, changed, own] = screen.getAllByRole('listitem')
  const link = (line: HTMLElement | undefined) =>
    line && within(line).queryByRole('link')?.getAttribute('href')
  expect(call?.textContent).toContain('on Website relaunch')
  expect(added?.textContent).toContain('Task “Call back” added on Website relaunch')
  expect(changed?.textContent).toContain('Deal “Old name”: value changed from $1 to $2')
  for (const line of [call, added, changed]) expect(link(line)).toBe('/app/deals/d')
  expect(link(own)).toBeUndefined()
})

test('a mail names its contact once, with the link in that name', () => {
  const ada = { record: 'contact', id: 'a', name: 'Ada Lovelace' } as const
  const mail = (of: object) => {
    const { key, at } = change({})
    const told = { direction: 'in', sender: 'ada@example.com', sender_name: 'Ada Lovelace' }
    const rest = { recipients: [], subject: 'Offer', snippet: null, attachments: 0 }
    const whole = {
      id: key,
      thread: 't',
      ...told,
      ...rest,
      is_automatic: false,
      is_doubtful: false,
    }
    return { id: key, key, at, kind: 'mail', origin: ada, mail: { ...whole, ...of } } as Entry
  }
  show([mail({}), mail({ sender_name: 'A. L.' })])
  const [named, other] = screen.getAllByRole('listitem')
  expect(named?.textContent).toMatch(/^Ada Lovelace wrote(?! for)/)
  expect(other?.textContent).toContain('A. L. wrote for Ada Lovelace')
  for (const line of [named, other]) {
    expect(line && within(line).getByRole('link').getAttribute('href')).toBe('/app/contacts/a')
  }
})

test('an email says that a draft was opened, not that it was read', () => {
  show([note('email', { outcome: 'E-mail opened' })])
  expect(lines()[0]).toContain('Email draft opened')
})

test('the filter stands in the address, beside the query of the list', async () => {
  const { router } = show([note('call'), note('note')], { query: '?sort=name' })
  expect(lines()).toHaveLength(2)
  fireEvent.click(screen.getByRole('radio', { name: 'Calls' }))
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
  expect(router.state.location.search).toBe('?sort=name&timeline=calls')
  fireEvent.click(screen.getByRole('radio', { name: 'All' }))
  expect(router.state.location.search).toBe('?sort=name')
})

test('who asks to log a call finds the form open for one', async () => {
  show([])
  const form = screen.getByRole('form', { name: 'New entry' })
  act(() => askToLog('note', { on: 'another record' }))
  expect(within(form).queryByRole('button', { name: 'Log call' })).toBeNull()
  act(() => askToLog('call'))
  const text = await within(form).findByRole('textbox', { name: 'Call notes' })
  expect(document.activeElement).toBe(text)
  expect(within(form).getByRole('button', { name: 'Log call' })).toBeTruthy()
})
