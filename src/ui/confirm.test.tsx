import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfirmHost, confirmAction } from './confirm.tsx'
import { theme } from './theme.ts'

beforeEach(() => {
  render(
    <MantineProvider env="test" theme={theme}>
      <ConfirmHost />
    </MantineProvider>,
  )
})
afterEach(cleanup)

const question = { title: 'Delete Acme?', body: 'It can be undone.', confirm: 'Delete' }

function ask() {
  let answer: Promise<boolean> = Promise.resolve(false)
  act(() => {
    answer = confirmAction({ ...question, isDangerous: true })
  })
  return answer
}

test('nothing shows until something is asked', () => {
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['Delete', true],
  ['Cancel', false],
  ['Close', false],
])('%s answers %s', async (name, expected) => {
  const answer = ask()
  fireEvent.click(await screen.findByRole('button', { name }))
  expect(await answer).toBe(expected)
  expect(screen.queryByRole('dialog', { name: 'Delete Acme?' })).toBeNull()
})

test('a newer question answers the older one with no', async () => {
  const first = ask()
  const second = ask()
  expect(await first).toBe(false)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(await second).toBe(true)
})
