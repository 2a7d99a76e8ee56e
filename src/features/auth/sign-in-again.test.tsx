import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { SignInAgain } from './sign-in-again.tsx'

vi.mock('./queries.ts', () => ({ signIn: vi.fn() }))
afterEach(cleanup)

test('a password that is missing is asked for here, not in the form below', async () => {
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <form>
          <input name="password" aria-label="Below" />
        </form>
        <SignInAgain email="ada@example.com" />
      </MemoryRouter>
    </MantineProvider>,
  )
  await act(async () => screen.getByRole('button', { name: 'Sign In' }).click())
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
})
