import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { ToastHost } from '#ui/toast.tsx'
import { hasTypedText } from '#ui/use-leave-question.ts'
import { Goal } from './goal.tsx'

let endSession = () => {}

let client = new QueryClient()

/** What the server holds: a read that comes late says the same as the test. */
let stored: number | null
beforeEach(() => {
  endSession = beginSession()
  stored = null
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_address, request) => {
    if (typeof request?.body === 'string') stored = JSON.parse(request.body).monthly_goal
    return Response.json([{ user_id: 'u', time_zone: 'UTC', monthly_goal: stored }])
  })
  client = createQueryClient({ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() })
  client.setQueryData(['preferences'], { time_zone: 'UTC', monthly_goal: null })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <Goal />
        <ConfirmHost />
        <ToastHost later={(run) => run()} />
      </QueryClientProvider>
    </MantineProvider>,
  )
})
afterEach(() => {
  cleanup()
  endSession()
  vi.restoreAllMocks()
})

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const field = () => screen.queryByRole('textbox', { name: 'Monthly goal' })

test('a goal that is typed is not lost by Escape or Cancel without a question', async () => {
  press('Set a monthly goal')
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
  await waitFor(() => expect(field()).toBeNull())

  press('Set a monthly goal')
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '5000' } })
  expect(hasTypedText()).toBe(true)
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
  const question = await screen.findByRole('dialog', { name: 'Discard changes?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(field()).toHaveProperty('value', '5000')
  press('Cancel')
  await screen.findByRole('dialog', { name: 'Discard changes?' })
  press('Discard')
  await waitFor(() => expect(field()).toBeNull())
})

test('a goal that was removed comes back with Undo', async () => {
  stored = 5000
  act(() => client.setQueryData(['preferences'], { time_zone: 'UTC', monthly_goal: 5000 }))
  fireEvent.click(await screen.findByRole('button', { name: 'Edit goal' }))
  press('Remove goal')
  // Another test of the page may have left a toast with an Undo of its own.
  const toast = (await screen.findByText('Goal removed')).closest<HTMLElement>('[role="alert"]')
  if (!toast) throw new Error('The goal was removed without a toast.')
  fireEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
  await screen.findByRole('button', { name: 'Edit goal' })
  expect(client.getQueryData(['preferences'])).toMatchObject({ monthly_goal: 5000 })
})
