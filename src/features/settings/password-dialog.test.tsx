import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { PasswordDialog } from './password-dialog.tsx'

// Whether the password is right is the server's matter: e2e/account.spec.ts.
const { change } = vi.hoisted(() => ({ change: vi.fn() }))
vi.mock('./queries.ts', () => ({ useChangePassword: () => change }))

let endSession = () => {}
let called: string[]

beforeEach(() => {
  endSession = beginSession()
  called = []
  change.mockReset().mockImplementation(async () => {
    called.push('password')
    return true
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    called.push(new URL(String(input), location.href).pathname.split('/').at(-1) ?? '')
    return Response.json(1)
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  endSession()
})

function fillIn() {
  const onClose = vi.fn()
  const client = createQueryClient({
    ...{ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() },
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <PasswordDialog email="ada@example.com" onClose={onClose} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  for (const [label, value] of [
    ['Current Password', 'former secret 1'],
    ['New Password', 'another secret 2'],
    ['Confirm Password', 'another secret 2'],
  ] as const) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
  return onClose
}

const save = () => fireEvent.click(screen.getByRole('button', { name: 'Change password' }))
const tick = () => fireEvent.click(screen.getByLabelText('Revoke all access tokens'))

test('a new password revokes all tokens where that is asked for, after it was changed', async () => {
  const onClose = fillIn()
  tick()
  save()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(called).toEqual(['password', 'revoke_access_tokens'])
})

test('a new password revokes none unasked', async () => {
  const onClose = fillIn()
  save()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(called).toEqual(['password'])
})

test('a wrong password revokes nothing', async () => {
  change.mockResolvedValue(false)
  const onClose = fillIn()
  tick()
  save()
  expect(await screen.findByText(/This isn’t your password/)).toBeTruthy()
  expect(called).toEqual([])
  expect(onClose).not.toHaveBeenCalled()
})
