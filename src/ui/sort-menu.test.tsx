import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SortMenu } from './sort-menu.tsx'

afterEach(cleanup)

test('the button says what it does, and by what the list is sorted', () => {
  const options = [
    { value: 'created', label: 'Created', asc: 'Oldest first', desc: 'Newest first' },
  ]
  render(
    <MantineProvider env="test">
      <SortMenu options={options} sort="created" direction="desc" onSort={() => {}} />
    </MantineProvider>,
  )
  const button = screen.getByRole('button', { name: 'Sort: Created, Newest first' })
  expect(button.textContent).toBe('Sort Created')
})
