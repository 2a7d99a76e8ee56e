import { Button, MantineProvider, Modal, TextInput } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { selectOnTab } from './select-on-tab.ts'

test('Tab into a field of a dialog selects what it holds; a press does not', async () => {
  const end = selectOnTab()
  render(
    <MantineProvider env="test">
      <Modal opened onClose={() => {}} title="Create Deal">
        <Button data-autofocus>First</Button>
        <TextInput label="Currency" defaultValue="USD – US Dollar" />
      </Modal>
    </MantineProvider>,
  )
  const first = screen.getByRole('button', { name: 'First' })
  const field = screen.getByLabelText<HTMLInputElement>('Currency')
  const selected = () => field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
  await waitFor(() => expect(document.activeElement).toBe(first))
  fireEvent.pointerDown(field)
  field.focus()
  expect(selected()).toBe('')
  first.focus()
  fireEvent.keyDown(first, { key: 'Tab' })
  expect(document.activeElement).toBe(field)
  expect(selected()).toBe('USD – US Dollar')
  end()
})
