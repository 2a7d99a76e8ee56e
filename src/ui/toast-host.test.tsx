import { MantineProvider } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { theme } from './theme.ts'
import { show, Toasts } from './toast-host.tsx'

beforeEach(() => {
  render(
    <MantineProvider env="test" theme={theme}>
      <Toasts />
    </MantineProvider>,
  )
})
afterEach(() => {
  act(() => notifications.clean())
  cleanup()
})

const tell = (message: string, more = {}) => act(() => show({ message, ...more }))
/** A toast that was replaced leaves with a transition. */
const expectTold = (messages: string[]) =>
  waitFor(() => {
    const told = screen.queryAllByRole('alert').map((toast) => toast.textContent)
    expect(told).toEqual(messages)
  })

test('at most three: the oldest makes room for the newest', async () => {
  for (const message of ['One', 'Two', 'Three', 'Four']) tell(message)
  await expectTold(['Two', 'Three', 'Four'])
})

test('the same words stand there once, as the newest', async () => {
  for (const message of ['Saved', 'Other', 'Saved']) tell(message)
  await expectTold(['Other', 'Saved'])
})

test('a kind is replaced whatever its words', async () => {
  tell('Moved to Lead', { kind: 'moved' })
  tell('Moved to Proposal', { kind: 'moved' })
  await expectTold(['Moved to Proposal'])
})

test('an error that is still there is told once', async () => {
  tell('No connection', { title: 'Error', isError: true })
  tell('No connection', { title: 'Error', isError: true })
  await expectTold(['ErrorNo connection'])
})
