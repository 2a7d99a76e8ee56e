import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { ToastHost } from '#ui/toast.tsx'
import { LostReasons } from './lost-reasons.tsx'

const onFailed = vi.fn()
let endSession = () => {}
let answer: () => Promise<Response>

beforeEach(() => {
  vi.clearAllMocks()
  endSession = beginSession()
  answer = async () => Response.json([{ user_id: 'u' }])
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => answer())
  const client = createQueryClient({ onSaved: vi.fn(), onFailed, onSessionGone: vi.fn() })
  client.setQueryData(['preferences'], { time_zone: 'UTC', lost_reasons: ['Price', 'Timing'] })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <LostReasons />
      </QueryClientProvider>
    </MantineProvider>,
  )
})
afterEach(() => {
  cleanup()
  endSession()
  vi.restoreAllMocks()
})

const fields = () => screen.getAllByRole('textbox', { name: /^Reason \d/ })
const shown = () => fields().map((field) => (field as HTMLInputElement).value)
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('reasons are added, renamed, put in order and deleted', async () => {
  const added = screen.getByRole('textbox', { name: 'New reason' })
  fireEvent.change(added, { target: { value: 'Budget' } })
  press('Add')
  await waitFor(() => expect(shown()).toEqual(['Price', 'Timing', 'Budget']))
  await waitFor(() => expect(added).toHaveProperty('value', ''))
  press('Move Budget up')
  await waitFor(() => expect(shown()).toEqual(['Price', 'Budget', 'Timing']))
  press('Delete Price')
  await waitFor(() => expect(shown()).toEqual(['Budget', 'Timing']))
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason 1' }), {
    target: { value: 'No budget' },
  })
  press('Rename')
  await screen.findByRole('button', { name: 'Delete No budget' })
})

test('a reason that was moved, renamed or deleted can be taken back', async () => {
  render(
    <MantineProvider env="test">
      <ToastHost />
    </MantineProvider>,
  )
  const undo = async (message: string, expected: string[]) => {
    const toast = (await screen.findByText(message)).closest<HTMLElement>('[role=alert]')
    if (!toast) throw new Error('The message is no toast.')
    fireEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(shown()).toEqual(expected))
  }
  press('Move Timing up')
  await waitFor(() => expect(shown()).toEqual(['Timing', 'Price']))
  await undo('Reason moved', ['Price', 'Timing'])
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason 1' }), { target: { value: 'Cost' } })
  press('Rename')
  await screen.findByRole('button', { name: 'Delete Cost' })
  await undo('Reason renamed', ['Price', 'Timing'])
  press('Delete Price')
  await waitFor(() => expect(shown()).toEqual(['Timing']))
  await undo('Reason deleted', ['Price', 'Timing'])
})

test('a reason that is there already says so, and nothing is sent', () => {
  fireEvent.change(screen.getByRole('textbox', { name: 'New reason' }), {
    target: { value: 'price' },
  })
  press('Add')
  expect(screen.getByText('This reason is already in the list.')).toBeDefined()
  expect(fetch).not.toHaveBeenCalled()
})

test('a reason that could not be saved stays typed', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  const added = screen.getByRole('textbox', { name: 'New reason' })
  fireEvent.change(added, { target: { value: 'Budget' } })
  press('Add')
  await waitFor(() => expect(onFailed).toHaveBeenCalled())
  expect(added).toHaveProperty('value', 'Budget')
  await waitFor(() => expect(shown()).toEqual(['Price', 'Timing']))
})
