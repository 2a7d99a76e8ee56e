import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWaitingQueue, type WaitingWrite } from '#lib/waiting-queue.ts'
import { setWaiting } from '#lib/waiting-state.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { WaitingPanel } from './waiting-panel.tsx'

const { sendAgain, takeBack } = vi.hoisted(() => ({
  sendAgain: vi.fn(),
  takeBack: vi.fn(async () => true),
}))
vi.mock('#lib/settle-waiting.ts', () => ({ sendAgain, takeBack }))

const edit: WaitingWrite = {
  batch: 'one',
  action: 'edit note',
  args: { id: 'n1', kind: 'note', body: 'Likes coffee' },
  title: 'Note: Likes coffee',
  at: 1,
  state: 'waiting',
  isTried: true,
  shown: [],
}

let items: Map<string, unknown>
beforeEach(() => {
  items = new Map()
})
afterEach(() => {
  setWaiting(null)
  cleanup()
  vi.clearAllMocks()
})

async function show(...writes: WaitingWrite[]) {
  await wait(...writes)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <WaitingPanel isOpen onClose={() => {}} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await screen.findByRole('dialog', { name: 'Not sent yet' })
}

async function wait(...writes: WaitingWrite[]) {
  const queue = createWaitingQueue(
    {
      get: async (key) => items.get(key) as never,
      getMany: async (keys) => keys.map((key) => items.get(key) as never),
      set: async (key, value) => void items.set(key, value),
      setMany: async (entries) => entries.forEach(([key, value]) => void items.set(key, value)),
      remove: async (key) => void items.delete(key),
      keys: async () => [...items.keys()],
      wipe: async () => items.clear(),
    },
    () => {},
  )
  for (const write of writes) await queue.put(write)
  setWaiting({ account: 'me', queue, wake: () => {} })
}

const item = (title: string) => {
  const found = screen.getAllByRole('listitem').find((each) => each.textContent?.includes(title))
  if (!found) throw new Error(`There is no ${title}.`)
  return within(found)
}

test('a conflict shows both versions, of what differs, and either is chosen', async () => {
  await show({ ...edit, state: 'conflict', theirs: { kind: 'note', body: 'Likes water' } })
  const [, row, ...more] = within(
    screen.getByRole('table', { name: 'Both versions' }),
  ).getAllByRole('row')
  expect(row?.textContent).toBe('TextLikes coffeeLikes water')
  expect(more).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Use mine' }))
  expect(sendAgain).toHaveBeenCalledWith('one')
  fireEvent.click(screen.getByRole('button', { name: 'Keep the other version' }))
  await vi.waitFor(() => expect(takeBack).toHaveBeenCalledWith('one'))
})

test('a refusal comes first, with its reason and what was written, and can be tried again', async () => {
  await show(
    { ...edit, batch: 'two', title: 'Note: waits' },
    {
      ...edit,
      batch: 'three',
      title: 'Note: refused',
      state: 'refused',
      reason: 'This contact no longer exists.',
    },
  )
  expect(
    screen.getAllByRole('listitem').map((each) => each.querySelector('p')?.textContent),
  ).toEqual(['Note: refused', 'Note: waits'])
  const refused = item('Note: refused')
  expect(refused.getByText('This contact no longer exists.')).toBeTruthy()
  expect(refused.getByRole('cell', { name: 'Likes coffee' })).toBeTruthy()
  expect(refused.queryByRole('columnheader', { name: 'Other version' })).toBeNull()
  fireEvent.click(refused.getByRole('button', { name: 'Try again' }))
  expect(sendAgain).toHaveBeenCalledWith('three')
  const waiting = item('Note: waits')
  expect(waiting.getByText(/^Waiting to be sent · /)).toBeTruthy()
  expect(waiting.queryByRole('button', { name: 'Try again' })).toBeNull()
  expect(waiting.getByRole('button', { name: 'Take back' })).toBeTruthy()
})

test('leaving says that sending is over when all that is left waits for the user', async () => {
  const contact = '00000000-0000-4000-8000-000000000001'
  await wait(
    { ...edit, action: 'add contact', args: { values: { id: contact } }, state: 'refused' },
    { ...edit, batch: 'two', action: 'add note', args: { values: { contact_id: contact } }, at: 2 },
  )
  render(
    <MantineProvider env="test">
      <LeaveQuestion leaving="sign out" onLeave={() => {}} onClose={() => {}} />
    </MantineProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Send' }))
  expect((await screen.findByRole('status')).textContent).toBe(
    '2 changes could not be sent. Close this to see why.',
  )
})
