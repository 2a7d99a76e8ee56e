import { MantineProvider } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SelectionAction, SelectionBar } from './selection-bar.tsx'

test('the actions that have no place on a phone come with More, and go with it', () => {
  render(
    <MantineProvider env="test">
      <SelectionBar count="2" matching={null} onSelectAll={() => {}} onClear={() => {}}>
        <SelectionAction isCommon icon={IconMail}>
          Send email
        </SelectionAction>
        <SelectionAction icon={IconMail}>Merge</SelectionAction>
      </SelectionBar>
    </MantineProvider>,
  )
  // What the style sheet hides by: it is looked at on a phone in e2e/contacts.spec.ts.
  const isCommon = (name: string) => 'common' in screen.getByRole('button', { name }).dataset
  expect([isCommon('Send email'), isCommon('Merge')]).toEqual([true, false])
  const bar = screen.getByRole('region', { name: 'Selection' })
  const more = screen.getByRole('button', { name: 'More actions' })
  for (const isOpen of [false, true, false]) {
    expect('open' in bar.dataset).toBe(isOpen)
    expect(more.getAttribute('aria-expanded')).toBe(String(isOpen))
    fireEvent.click(more)
  }
})
