import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  act,
  cleanup,
  fireEvent,
  render,
  renderHook,
  screen,
  waitFor,
} from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { resetStores } from '#lib/store.ts'
import { beginSession } from '#lib/test-session.ts'
import { NextStepBar } from './next-step-bar.tsx'
import { NextStepHost } from './next-step-host.tsx'
import { offerNextStep, useNextStepOffer } from './next-step-request.ts'
import type { Task } from './queries.ts'

const moment = '2026-11-15T00:00:00Z'
const task = (title: string): Task => ({
  ...{ id: title, title, description: null, priority: 'high', due_date: null, due_all_day: false },
  ...{ completed: true, completed_at: moment, deal_id: 'd', contact_id: null, company_id: null },
  ...{ repeat: null, repeat_days: null, repeat_every: null, repeat_start: null },
  ...{ repeated_from: null, created_at: moment, updated_at: moment },
  ...{ deal_name: 'Relaunch', company_name: null, contact: null },
})

const onClose = vi.fn()
const onFailed = vi.fn()
const send = vi.fn<typeof fetch>()
let endSession = () => {}

beforeEach(() => {
  vi.clearAllMocks()
  endSession = beginSession()
  vi.spyOn(globalThis, 'fetch').mockImplementation(send)
})
afterEach(() => {
  cleanup()
  endSession()
  vi.restoreAllMocks()
})

function show(first: Task, isByKey = false) {
  const client = createQueryClient({ onSaved: vi.fn(), onFailed, onSessionGone: vi.fn() })
  client.setQueryData(['preferences'], { time_zone: 'UTC', week_starts_on: 1 })
  const bar = (of: Task) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider
          router={createMemoryRouter([
            { path: '*', element: <NextStepBar task={of} isByKey={isByKey} onClose={onClose} /> },
          ])}
        />
      </QueryClientProvider>
    </MantineProvider>
  )
  return render(bar(first))
}

const words = () => screen.getByRole('textbox', { name: 'Next step' })
const type = (text: string) => fireEvent.change(words(), { target: { value: text } })
const enter = () => fireEvent.submit(screen.getByRole('form'))
const stored = (body: string) => {
  const { next_step } = JSON.parse(body).args
  const { deal_name, company_name, contact, ...row } = task('Write')
  const next = { ...row, ...next_step, completed: false, completed_at: null }
  return Response.json({ row, next_step: next, batch: 'b' })
}

test('the words and one Enter plan the next step for tomorrow, on what the task was linked to', async () => {
  send.mockImplementation(async (_url, init) => stored(String(init?.body)))
  show(task('Call'))
  await waitFor(() => expect(document.activeElement).toBe(words()))
  type('Send the quote')
  enter()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const [url, init] = send.mock.calls[0] ?? []
  expect(String(url)).toContain('write_once')
  expect(JSON.parse(String(init?.body))).toMatchObject({
    action: 'plan next step',
    args: { id: 'Call', next_step: { title: 'Send the quote', deal_id: 'd', due_all_day: true } },
  })
})

test('after a tick by key the row keeps the focus, and one key begins the words', async () => {
  const row = document.createElement('button')
  document.body.append(row)
  row.focus()
  show(task('Call'), true)
  await screen.findByText('to plan it')
  expect(document.activeElement).toBe(row)
  fireEvent.keyDown(row, { key: 's' })
  expect(document.activeElement).toBe(words())
  fireEvent.keyDown(words(), { key: 'Escape' })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(document.activeElement).toBe(row)
  row.remove()
})

test('the host tells a tick by key from one by mouse', () => {
  const offers: boolean[] = []
  const { unmount } = renderHook(() => {
    const { offer } = useNextStepOffer()
    if (offer) offers.push(offer.isByKey)
  })
  const host = render(
    <MantineProvider env="test">
      <NextStepHost />
    </MantineProvider>,
  )
  fireEvent.keyDown(document.body, { key: 'c' })
  act(() => offerNextStep(task('One')))
  fireEvent.pointerDown(document.body)
  act(() => offerNextStep(task('Two')))
  expect(offers).toEqual([true, false])
  host.unmount()
  unmount()
  act(resetStores)
})

test('a chosen day is chosen once, and may be none', () => {
  show(task('Call'))
  const pressed = () =>
    screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect(pressed()).toEqual(['Tomorrow'])
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  expect(pressed()).toEqual(['Today'])
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  expect(screen.queryAllByRole('button', { pressed: true })).toEqual([])
})

const date = () => screen.getByLabelText<HTMLInputElement>('Date of the next step').value
const typeWhenRead = async (text: string) => {
  fireEvent.focus(words())
  await import('#domain/step-words.ts')
  type(text)
}

test('a day in the words is the day of the step, and is no word of it', async () => {
  send.mockImplementation(async (_url, init) => stored(String(init?.body)))
  show(task('Call'))
  const tomorrow = date()
  await typeWhenRead('Send the quote Dec 24, 2031')
  await waitFor(() => expect(date()).toBe('2031-12-24'))
  type('Send the quote')
  await waitFor(() => expect(date()).toBe(tomorrow))
  type('Send the quote Dec 24, 2031')
  await waitFor(() => expect(date()).toBe('2031-12-24'))
  enter()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const { next_step } = JSON.parse(String(send.mock.calls[0]?.[1]?.body)).args
  expect(next_step).toMatchObject({
    title: 'Send the quote',
    due_date: '2031-12-24T23:59:59.000Z',
    due_all_day: true,
  })
})

test('a day that was picked by hand stays, with all the words', async () => {
  send.mockImplementation(async (_url, init) => stored(String(init?.body)))
  show(task('Call'))
  await typeWhenRead('Send the report')
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  const today = date()
  type('Send the report of Dec 24, 2031')
  expect(date()).toBe(today)
  enter()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  const { next_step } = JSON.parse(String(send.mock.calls[0]?.[1]?.body)).args
  expect(next_step.title).toBe('Send the report of Dec 24, 2031')
})

test('what was typed stays after a failed write', async () => {
  send.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')))
  show(task('Call'))
  type('Send the quote')
  enter()
  await waitFor(() => expect(onFailed).toHaveBeenCalled())
  expect(words()).toHaveProperty('value', 'Send the quote')
  expect(onClose).not.toHaveBeenCalled()
})

test('it goes with a press elsewhere, unless something was typed', () => {
  show(task('Call'))
  type('Send the quote')
  fireEvent.pointerDown(document.body)
  expect(onClose).not.toHaveBeenCalled()
  type('')
  fireEvent.pointerDown(document.body)
  expect(onClose).toHaveBeenCalledOnce()
})

test('Escape closes the empty line', async () => {
  show(task('Call'))
  await act(async () => {
    fireEvent.keyDown(words(), { key: 'Escape' })
  })
  expect(onClose).toHaveBeenCalledOnce()
})
