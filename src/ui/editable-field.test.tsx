import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { EditableField } from './editable-field.tsx'
import { hasTypedText } from './use-leave-question.ts'

test('a half-typed date, which has no value, is asked about before it is left', () => {
  const field = (
    <EditableField
      label="Ends"
      type="date"
      value=""
      check={() => null}
      save={async () => null}
      onTakeTheirs={() => {}}
    />
  )
  const router = createMemoryRouter([{ path: '*', element: field }])
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: /^Edit Ends/ }))
  const input = screen.getByLabelText<HTMLInputElement>('Ends')
  expect(hasTypedText()).toBe(false)
  // The simulated page reads no keys.
  Object.defineProperty(input, 'validity', { value: { badInput: true } })
  fireEvent.keyUp(input, { key: '1' })
  expect(hasTypedText()).toBe(true)
  fireEvent.keyDown(input, { key: 'Escape' })
  expect(hasTypedText()).toBe(false)
})
