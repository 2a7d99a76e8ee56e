import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { resetStores } from '#lib/store.ts'
import { beginSession } from '#lib/test-session.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { leaveGuard } from '#ui/navigation.ts'
import { useLeaveGuard } from '#ui/use-leave-question.ts'
import { MailPage } from './mail-page.tsx'

let endSession = () => {}
let asked: { path: string; body: unknown }[]
let tested: object

beforeEach(() => {
  endSession = beginSession()
  asked = []
  tested = { imap: null, smtp: null }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input), location.href)
    asked.push({ path: pathname, body: init?.body ? JSON.parse(String(init.body)) : null })
    if (pathname === '/mail/v1/state') return Response.json({ isReady: true, hasAgenda: false })
    if (pathname === '/mail/v1/find') return Response.json({}, { status: 400 })
    if (pathname === '/mail/v1/test') return Response.json(tested)
    return Response.json([])
  })
})
afterEach(() => {
  cleanup()
  act(() => resetStores())
  vi.restoreAllMocks()
  endSession()
})

function Screen() {
  useLeaveGuard()
  return (
    <>
      <MailPage />
      <ConfirmHost />
    </>
  )
}

function open() {
  const client = createQueryClient({
    ...{ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() },
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <Screen />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('an address that was typed and not left out is asked about when the page is left', async () => {
  open()
  const typed = await screen.findByLabelText<HTMLInputElement>('Address or domain')
  fireEvent.change(typed, { target: { value: 'nobody' } })
  fireEvent.click(screen.getByRole('button', { name: 'Exclude' }))
  expect(await screen.findByText('Enter an address or a domain, such as acme.com.')).toBeTruthy()
  act(() => void leaveGuard('/', '/away')?.mayLeave())
  const question = await screen.findByRole('dialog', { name: 'Discard changes?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(typed.value).toBe('nobody')
})

test('what a test of the servers told goes when something else is typed', async () => {
  tested = { imap: 'The server refused the password.', smtp: null }
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Connect mailbox' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect mailbox' })
  const address = within(dialog).getByLabelText('Email address')
  fireEvent.change(address, { target: { value: 'me@own.example' } })
  // They were not found, so they can be typed.
  fireEvent.blur(address)
  const type = (label: string, value: string) =>
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
  await within(dialog).findByLabelText('Incoming server (IMAP)')
  type('Incoming server (IMAP)', 'imap.own.example')
  type('Password or app password', 'wrong')
  type('Your name', ' Grace Hopper ')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Test' }))
  const result = await within(dialog).findByRole('status')
  expect(result.textContent).toBe('Reading: The server refused the password.Sending: works.')
  expect(asked.find(({ path }) => path === '/mail/v1/test')?.body).toMatchObject({
    account: {
      address: 'me@own.example',
      name: 'Grace Hopper',
      imap_host: 'imap.own.example',
      smtp_host: null,
    },
    password: 'wrong',
  })
  type('Password or app password', 'right')
  await waitFor(() => expect(within(dialog).queryByRole('status')).toBeNull())
})
