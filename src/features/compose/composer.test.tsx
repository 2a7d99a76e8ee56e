import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { newDraft } from '#domain/mail-draft.ts'
import { openComposer, useComposer } from '#features/forms/index.ts'
import { noteAnswer } from '#lib/network.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { resetStores } from '#lib/store.ts'
import { databases } from '#lib/test-databases.ts'
import { beginSession } from '#lib/test-session.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { removeToasts } from '#ui/toast.tsx'
import { Toasts } from '#ui/toast-host.tsx'
import type { KeptDraft } from './kept-drafts.ts'
import { WriteEmail } from './write-email.tsx'

vi.mock('idb-keyval', async () => (await import('#lib/test-databases.ts')).idbKeyval)

const id = (place: number) => `00000000-0000-4000-8000-00000000000${place}`
const account = {
  ...{
    id: id(1),
    address: 'me@example.com',
    name: null,
    login: null,
    is_paused: false,
    state: 'working',
  },
  ...{ imap_host: 'imap.example.com', imap_port: 993, imap_security: 'tls' },
  ...{ smtp_host: 'smtp.example.com', smtp_port: 465, smtp_security: 'tls' },
  ...{ problem: null, last_read_at: null, signature: '<p>Grace</p>', pace: null },
}

/** What was called, and what is answered. */
let calls: { name: string; args: Record<string, unknown> }[]
let answers: Record<string, () => Response | Promise<Response>>
let endSession = () => {}

beforeEach(() => {
  endSession = beginSession()
  calls = []
  answers = {
    mail_accounts: () => Response.json([account]),
    email_templates: () => Response.json([]),
    contact_page: () => Response.json({ rows: [], next: null }),
    plan_mails: () =>
      Response.json({ run: null, ids: [id(2)], leaves_at: '2026-11-18T10:00:10Z', waits: null }),
    stop_mails: () => Response.json({ stopped: [id(2)], gone: [] }),
    forget_mails: () => Response.json(1),
    hold_mails: () => Response.json({ gone: [] }),
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const [, name = ''] = /\/rest\/v1\/(?:rpc\/)?(\w+)/.exec(String(input)) ?? []
    calls.push({ name, args: init?.body ? JSON.parse(String(init.body)) : {} })
    return (await answers[name]?.()) ?? Response.json([])
  })
})
afterEach(() => {
  cleanup()
  databases.get('solo-u')?.clear()
  removeToasts()
  act(() => resetStores())
  noteAnswer(true)
  vi.restoreAllMocks()
  endSession()
})

function Host() {
  const { request, close } = useComposer()
  return (
    <>
      {request && <WriteEmail request={request} onClose={close} />}
      <ConfirmHost />
      <Toasts />
    </>
  )
}

const written = {
  ...newDraft,
  account: id(1),
  to: [{ address: 'ada@example.com', name: 'Ada', contact: null }],
  subject: 'The offer',
  html: '<p>Dear <strong>Ada</strong></p>',
}

/** Opens the composer, as an undo would with what was written. */
async function open(request: Parameters<typeof openComposer>[0] = {}): Promise<HTMLElement> {
  start()
  act(() => openComposer(request))
  return screen.findByRole('dialog', { name: 'New email' })
}

function start() {
  const client = createQueryClient({
    ...{ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() },
  })
  const router = createMemoryRouter([{ path: '*', element: <Host /> }])
  return render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const withDraft = { draft: { start: written, files: new Map<string, File>() } }
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const called = (name: string) => calls.filter((call) => call.name === name)
const removeButtons = () =>
  screen.getAllByRole('button', { name: /^Remove / }).map((each) => each.getAttribute('aria-label'))

function type(name: string, value: string): void {
  fireEvent.change(field(name), { target: { value } })
}

test('a half-typed address is asked about and stays, a whole one is taken', async () => {
  await open(withDraft)
  type('To', 'half@')
  press('Send')
  expect(await screen.findByText('“half@” isn’t an email address.')).toBeTruthy()
  expect(field('To').value).toBe('half@')
  expect(called('plan_mails')).toEqual([])
  type('To', 'half@example.org')
  fireEvent.keyDown(field('To'), { key: 'Enter' })
  expect(removeButtons()).toEqual(['Remove Ada', 'Remove half@example.org'])
  expect(field('To').value).toBe('')
})

test('leaving the field takes the address; pasted ones are taken, and what is none stays', async () => {
  await open(withDraft)
  type('To', 'b@example.org')
  fireEvent.blur(field('To'))
  expect(removeButtons()).toContain('Remove b@example.org')
  fireEvent.paste(field('To'), {
    clipboardData: {
      types: ['text/plain'],
      files: [],
      getData: () => 'Cleo <c@example.org>; d@example.org\nnobody',
    },
  })
  expect(removeButtons()).toEqual([
    ...['Remove Ada', 'Remove b@example.org', 'Remove Cleo', 'Remove d@example.org'],
  ])
  expect(field('To').value).toBe('nobody')
  expect(screen.getByText('“nobody” isn’t an email address.')).toBeTruthy()
})

test('an address that is typed to its end goes along with Send', async () => {
  await open(withDraft)
  type('To', 'last@example.org')
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  expect(called('plan_mails')[0]?.args.mails).toMatchObject([
    { to: [{ address: 'ada@example.com', name: 'Ada' }, { address: 'last@example.org' }] },
  ])
})

test('Tab leads from the subject into the message, before its tools', async () => {
  await open(withDraft)
  const places = [field('Subject'), field('Message'), screen.getByRole('button', { name: 'Bold' })]
  const all = [...document.querySelectorAll('*')]
  const order = places.map((place) => all.indexOf(place))
  expect(order).toEqual(order.toSorted((one, other) => one - other))
})

test('Undo stops the mail and opens it again with everything in it', async () => {
  await open(withDraft)
  press('Send')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(called('plan_mails')[0]?.args.mails).toMatchObject([
    {
      account: id(1),
      subject: 'The offer',
      text: 'Dear Ada\n\n-- \nGrace',
      send_at: null,
    },
  ])
  expect(await screen.findByText(/^Sending email in \d+ s$/)).toBeTruthy()
  press('Undo')
  const dialog = await screen.findByRole('dialog', { name: 'New email' })
  expect(called('stop_mails')[0]?.args).toEqual({ ids: [id(2)] })
  // It stays in the outbox until what is shown is sent or discarded.
  expect(called('forget_mails')).toEqual([])
  expect(field('Subject').value).toBe('The offer')
  expect(removeButtons()).toEqual(['Remove Ada'])
  expect(within(dialog).getByRole('textbox', { name: 'Message' }).innerHTML).toContain(
    '<strong>Ada</strong>',
  )
})

test('Undo brings the mail back also where an empty composer is open; discarded it is gone', async () => {
  await open(withDraft)
  press('Send')
  await screen.findByText(/^Sending email in \d+ s$/)
  act(() => openComposer({}))
  await screen.findByRole('dialog', { name: 'New email' })
  expect(field('Subject').value).toBe('')
  press('Undo')
  await waitFor(() => expect(field('Subject').value).toBe('The offer'))
  answers.plan_mails = () =>
    Response.json({ run: null, ids: [id(3)], leaves_at: '2026-11-18T10:00:10Z', waits: null })
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(2))
  expect(called('plan_mails')[1]?.args).toMatchObject({ replaces: [id(2)] })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  answers.stop_mails = () => Response.json({ stopped: [id(3)], gone: [] })
  press('Undo')
  await screen.findByRole('dialog', { name: 'New email' })
  press('Cancel')
  const question = await screen.findByRole('dialog', { name: 'Discard changes?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(called('forget_mails')[0]?.args).toEqual({ ids: [id(3)] }))
})

test('each of two mails keeps its Undo, and tells what is left of its ten seconds', async () => {
  await open(withDraft)
  // On a busy machine the first would be gone before the second is there.
  const wait = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((what, delay) =>
    wait(what, delay === 10_000 ? 60_000 : delay),
  )
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now)
  answers.plan_mails = () => {
    clock.mockReturnValue(now + 3400)
    return Response.json({
      run: null,
      ids: [id(2)],
      leaves_at: '2026-11-18T10:00:10Z',
      waits: null,
    })
  }
  press('Send')
  await screen.findByText('Sending email in 7 s')
  clock.mockReturnValue(now)
  answers.plan_mails = () => {
    clock.mockReturnValue(now + 3400)
    return Response.json({
      run: null,
      ids: [id(3)],
      leaves_at: '2026-11-18T10:00:10Z',
      waits: null,
    })
  }
  act(() => openComposer(withDraft))
  await screen.findByRole('dialog', { name: 'New email' })
  press('Send')
  await waitFor(() => expect(screen.getAllByText('Sending email in 7 s')).toHaveLength(2))
  fireEvent.click(screen.getAllByRole('button', { name: 'Undo' })[0] as HTMLElement)
  await waitFor(() => expect(called('stop_mails')[0]?.args).toEqual({ ids: [id(2)] }))
})

/** A mail that a window left behind when it died. */
function leaveBehind(kept: Omit<KeptDraft, 'key'>): void {
  const databaseOf = databases.get('solo-u') ?? new Map()
  databases.set('solo-u', databaseOf.set('mail-draft x', kept))
  onTestFinished(() => void databaseOf.clear())
}

test('a mail of the outbox is given back as it was when another is continued in its place', async () => {
  leaveBehind({ draft: { ...written, subject: 'Left behind' }, of: { outgoing: id(7) }, at: 1 })
  answers.outgoing_mail = () => Response.json({ ...failed, state: 'planned', problem: null })
  await open({ outgoing: id(4), subject: { record: 'contact', id: id(8), name: 'Ada' } })
  expect(called('hold_mails')[0]?.args).toEqual({ ids: [id(4)] })
  fireEvent.click(await screen.findByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(field('Subject').value).toBe('Left behind'))
  expect(called('hold_mails').at(-1)?.args).toEqual({ ids: [id(4)], holds: false })
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  // What is continued replaces the mail that it was begun on, and no other.
  expect(called('plan_mails')[0]?.args).toMatchObject({ replaces: [id(7)] })
  expect(called('forget_mails')).toEqual([])
})

test('a crash of the screen keeps what was written; sent, nothing of it stays', async () => {
  const { unmount } = start()
  act(() => openComposer(withDraft))
  await screen.findByRole('dialog', { name: 'New email' })
  type('Subject', 'Not finished')
  unmount()
  await waitFor(() => expect([...(databases.get('solo-u')?.values() ?? [])]).toHaveLength(1))
  expect([...(databases.get('solo-u')?.values() ?? [])]).toMatchObject([
    { draft: { subject: 'Not finished' } },
  ])
  databases.get('solo-u')?.clear()
  act(() => resetStores())
  await open(withDraft)
  press('Send')
  await screen.findByText(/^Sending email in \d+ s$/)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([...(databases.get('solo-u')?.values() ?? [])]).toEqual([])
})

test('files that were stored for a mail go when it is discarded, and stay when it is sent', async () => {
  const removed = () =>
    vi
      .mocked(fetch)
      .mock.calls.flatMap(([input, init]) =>
        init?.method === 'DELETE' ? [new URL(String(input)).searchParams.get('id')] : [],
      )
  await open({ ...withDraft, storedFiles: [id(9)] })
  press('Send')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => openComposer({ ...withDraft, storedFiles: [id(9)] }))
  await screen.findByRole('dialog', { name: 'New email' })
  expect(removed()).toEqual([])
  press('Cancel')
  const question = await screen.findByRole('dialog', { name: 'Discard changes?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(removed()).toEqual([`in.(${id(9)})`]))
})

test('what has left cannot be undone, and is told', async () => {
  answers.stop_mails = () => Response.json({ stopped: [], gone: [id(2)] })
  await open(withDraft)
  press('Send')
  await screen.findByText(/^Sending email in \d+ s$/)
  press('Undo')
  expect(await screen.findByText('Too late: it was already sent.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('whoever types days wants to be reminded', async () => {
  await open(withDraft)
  type('Days without a reply', '5')
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Follow up if no reply in' })
  expect(box.checked).toBe(true)
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  expect(called('plan_mails')[0]?.args.mails).toMatchObject([{ follow_up_days: 5 }])
})

test('a mail to deals goes to their contacts, of whom there may be none', async () => {
  answers.contacts_behind = () => Response.json([])
  const request = { behind: { record: 'deals' as const, filter: { ids: [id(5)] } } }
  await open(request)
  expect(await screen.findByText(/There are no contacts on these deals/)).toBeTruthy()
  expect(called('contacts_behind')[0]?.args).toEqual(request.behind)
  answers.contacts_behind = () => Response.json([id(6)])
  act(() => openComposer({ behind: { record: 'companies', filter: { ids: [id(7)] } } }))
  await waitFor(() =>
    expect(called('contact_page')[0]?.args).toMatchObject({ filter: { ids: [id(6)] } }),
  )
})

test('a mail that is refused stays open, with the reason', async () => {
  const message = 'This deal no longer exists. Nothing was sent.'
  answers.plan_mails = () => Response.json({ code: 'PT404', message }, { status: 404 })
  await open(withDraft)
  press('Send')
  expect(await screen.findByText(`Not sent: ${message}`)).toBeTruthy()
  expect(field('Subject').value).toBe('The offer')
})

test('sent again after a lost answer it has the same id, and another one once it was changed', async () => {
  answers.plan_mails = () => Promise.reject(new TypeError('Failed to fetch'))
  await open(withDraft)
  const sendOnce = async (times: number) => {
    press('Send')
    await screen.findByText(/^The server can’t be reached/)
    await waitFor(() => expect(called('plan_mails')).toHaveLength(times))
    // What was noted by the failed request; the network is there.
    act(() => noteAnswer(true))
  }
  await sendOnce(1)
  await sendOnce(2)
  type('Subject', 'Another offer')
  await sendOnce(3)
  const [first, second, third] = called('plan_mails').map(
    ({ args }) => (args.mails as { id: string }[])[0]?.id,
  )
  expect(first).toBeTruthy()
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('without a network nothing is sent, and everything stays', async () => {
  await open(withDraft)
  act(() => noteAnswer(false))
  expect(screen.getByRole('alert').textContent).toMatch(/^You’re offline/)
  press('Send')
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toMatch(/when you’re back online/),
  )
  expect(called('plan_mails')).toEqual([])
  expect(field('Subject').value).toBe('The offer')
})

test('closing asks when something is written, and not when nothing is', async () => {
  await open()
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => openComposer({}))
  await screen.findByRole('dialog', { name: 'New email' })
  type('Subject', 'Typed')
  press('Cancel')
  const question = await screen.findByRole('dialog', { name: 'Discard changes?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard changes?' })).toBeNull())
  expect(field('Subject').value).toBe('Typed')
})

test('without a mailbox it says why, and hands over to the mail app', async () => {
  answers.mail_accounts = () => Response.json([])
  start()
  act(() => openComposer({}))
  const dialog = await screen.findByRole('dialog', { name: 'New email' })
  expect(dialog.textContent).toContain('No mailbox is connected')
  expect(within(dialog).getByRole('link', { name: 'Open in mail app' })).toBeTruthy()
})

test('sent later it leaves at the chosen time, which must be still to come', async () => {
  await open(withDraft)
  press('More ways to send')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Send later…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send later' })
  const time = within(dialog).getByLabelText('Send at')
  const set = () => fireEvent.click(within(dialog).getByRole('button', { name: 'Set time' }))
  fireEvent.change(time, { target: { value: '2020-01-02T09:00' } })
  set()
  expect(await within(dialog).findByText('Choose a time in the future.')).toBeTruthy()
  fireEvent.change(time, { target: { value: '2090-01-02T09:00' } })
  set()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Send later' })).toBeNull())
  press('Schedule')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  expect(called('plan_mails')[0]?.args.mails).toMatchObject([
    { send_at: expect.stringMatching(/^2090-01-0[123]T/) },
  ])
})

test('of several mailboxes one is chosen, and brings its signature', async () => {
  const other = { ...account, id: id(3), address: 'sales@example.com', signature: '<p>Sales</p>' }
  answers.mail_accounts = () => Response.json([account, other])
  await open(withDraft)
  fireEvent.click(screen.getByRole('combobox', { name: 'From' }))
  fireEvent.click(await screen.findByRole('option', { name: 'sales@example.com' }))
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  expect(called('plan_mails')[0]?.args.mails).toMatchObject([
    { account: id(3), text: 'Dear Ada\n\n-- \nSales' },
  ])
})

const failed = {
  ...{ id: id(4), run: null, state: 'failed', account: id(1), tries: 1 },
  ...{ to: [{ address: 'ada@exmple.com', name: 'Ada' }], cc: [], bcc: [] },
  ...{ subject: 'The offer', text: 'Dear Ada\n\n-- \nGrace', html: null, files: [] },
  ...{ answers: null, deal: null, follow_up_days: null, send_at: '2026-11-18T10:00:00Z' },
  problem: 'The server refused: “550 No such mailbox”. It wasn’t sent.',
}

test('a mail that failed is corrected: the new one takes its place', async () => {
  answers.outgoing_mail = () => Response.json(failed)
  await open({ outgoing: id(4) })
  expect(await screen.findByText(/No such mailbox/)).toBeTruthy()
  // Its text has the signature already.
  expect(screen.queryByRole('switch', { name: 'Signature', checked: true })).toBeNull()
  press('Remove Ada')
  type('To', 'ada@example.com')
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  expect(called('plan_mails')[0]?.args).toMatchObject({
    mails: [{ to: [{ address: 'ada@example.com' }], text: 'Dear Ada\n\n-- \nGrace' }],
    // In one transaction: never both, never neither.
    replaces: [id(4)],
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a planned mail is held while it is written on, and let go when nothing is sent', async () => {
  answers.outgoing_mail = () => Response.json({ ...failed, state: 'planned', problem: null })
  await open({ outgoing: id(4) })
  await waitFor(() => expect(field('Subject').value).toBe('The offer'))
  expect(called('stop_mails')).toEqual([])
  press('Cancel')
  await waitFor(() =>
    expect(called('hold_mails').map(({ args }) => args)).toEqual([
      { ids: [id(4)] },
      { ids: [id(4)], holds: false },
    ]),
  )
  cleanup()
  // It left all the same, while the machine slept: sent again, it is a mail of its own.
  await open({ outgoing: id(4) })
  await waitFor(() => expect(field('Subject').value).toBe('The offer'))
  const taken = answers.plan_mails
  const message = 'The email you were editing has left meanwhile.'
  answers.plan_mails = () => Response.json({ code: 'PT410', message }, { status: 410 })
  press('Send')
  await screen.findByText(`Not sent: ${message}`)
  answers.plan_mails = taken ?? (() => Response.json({}))
  press('Send')
  await waitFor(() =>
    expect(called('plan_mails').map(({ args }) => args.replaces)).toEqual([[id(4)], []]),
  )
  cleanup()
  answers.hold_mails = () => Response.json({ gone: [id(4)] })
  await open({ outgoing: id(4) })
  expect(await screen.findByText(/Too late: it was already sent/)).toBeTruthy()
})

test('an address is written to as the contact who has it', async () => {
  const ada = {
    ...{ id: id(5), first_name: 'Ada', last_name: 'Lovelace', role_title: null },
    ...{ company_name: null, email: 'ada@example.com' },
    emails: [
      { label: '', value: 'ada@example.com' },
      { label: 'Home', value: 'ada@home.example' },
    ],
  }
  answers.contact_page = () => Response.json({ rows: [ada], next: null })
  await open({ address: 'ada@home.example' })
  expect(await screen.findByTitle('Ada Lovelace <ada@home.example>')).toBeTruthy()
  type('Subject', 'Hello {{first_name}}')
  press('Send')
  await waitFor(() => expect(called('plan_mails')).toHaveLength(1))
  expect(called('plan_mails')[0]?.args.mails).toMatchObject([
    { to: [{ address: 'ada@home.example' }], subject: 'Hello Ada' },
  ])
})
