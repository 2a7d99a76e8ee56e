import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { EmptyState, ErrorState, LoadingState } from './states.tsx'

afterEach(cleanup)

function show(element: React.ReactNode) {
  render(<MantineProvider env="test">{element}</MantineProvider>)
}

test('loading says what is on its way, to screen readers too', () => {
  show(<LoadingState text="Loading contacts..." />)
  expect(screen.getByRole('status').textContent).toBe('Loading contacts...')
})

test('an error says what and why, and can be tried again', () => {
  const onRetry = vi.fn()
  show(<ErrorState title="No contacts" message="The server can’t be reached." onRetry={onRetry} />)
  expect(screen.getByRole('alert').textContent).toContain('The server can’t be reached.')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('an empty list says what belongs there', () => {
  show(<EmptyState title="No contacts yet" action={<button type="button">Add</button>} />)
  expect(screen.getByRole('heading', { name: 'No contacts yet' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy()
})
