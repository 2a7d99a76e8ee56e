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
let find: (asked: { address: string }) => Response
let boxes: object[]

beforeEach(() => {
  endSession = beginSession()
  asked = []
  tested = { imap: null, smtp: null }
  find = () => Response.json({}, { status: 400 })
  boxes = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input), location.href)
    asked.push({ path: pathname, body: init?.body ? JSON.parse(String(init.body)) : null })
    if (pathname === '/mail/v1/state') return Response.json({ isReady: true, hasAgenda: false })
    if (pathname === '/mail/v1/find') return find(asked.at(-1)?.body as { address: string })
    if (pathname === '/rest/v1/mail_accounts') return Response.json(boxes)
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

test('an address that is corrected brings the servers of its own provider; typed ones stay', async () => {
  const server = (host: string) => ({ host, port: 993, security: 'tls' })
  find = ({ address }) => {
    const name = address.split('@')[1] ?? ''
    return Response.json({
      ...{ provider: name, password: `How at ${name}`, isOAuthOnly: false },
      ...{ imap: server(`imap.${name}`), smtp: server(`smtp.${name}`) },
    })
  }
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Connect mailbox' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect mailbox' })
  const field = (label: string) => within(dialog).getByLabelText<HTMLInputElement>(label)
  function enter(value: string): void {
    fireEvent.change(field('Email address'), { target: { value } })
    fireEvent.blur(field('Email address'))
  }
  enter('me@gmial.example')
  await within(dialog).findByText('How at gmial.example')
  enter('me@gmail.example')
  await within(dialog).findByText('How at gmail.example')
  expect(field('Incoming server (IMAP)').value).toBe('imap.gmail.example')
  expect(field('Outgoing server (SMTP)').value).toBe('smtp.gmail.example')
  fireEvent.change(field('Incoming server (IMAP)'), { target: { value: 'mail.own.example' } })
  enter('me@other.example')
  await waitFor(() => expect(asked.filter(({ path }) => path === '/mail/v1/find')).toHaveLength(2))
  expect(field('Incoming server (IMAP)').value).toBe('mail.own.example')
})

test('the saved password counts for the saved servers alone: with others it is asked for', async () => {
  boxes = [
    {
      ...{ id: '00000000-0000-4000-8000-000000000001', address: 'me@own.example', login: null },
      ...{ name: null, is_paused: false, state: 'working', problem: null, last_read_at: null },
      ...{ imap_host: 'imap.own.example', imap_port: 993, imap_security: 'tls' },
      ...{ smtp_host: 'smtp.own.example', smtp_port: 465, smtp_security: 'tls' },
      ...{ signature: null, pace: null },
    },
  ]
  open()
  fireEvent.click(await screen.findByRole('button', { name: /^Edit/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit mailbox' })
  const type = (label: string, value: string) =>
    fireEvent.change(within(dialog).getAllByLabelText(label).at(-1) as HTMLElement, {
      target: { value },
    })
  const saved = () => asked.filter(({ path }) => path === '/mail/v1/save')
  const save = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  type('Port', '587')
  save()
  expect(await within(dialog).findByText(/^Enter the password: the saved one/)).toBeTruthy()
  expect(saved()).toEqual([])
  type('Port', '465')
  type('Your name', 'Grace')
  save()
  await waitFor(() => expect(saved()).toMatchObject([{ body: { password: null } }]))
})
