import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { EditableChoice } from './editable-choice.tsx'

test('opens at what is chosen, so that Enter alone changes nothing', async () => {
  const onChoose = vi.fn()
  render(
    <MantineProvider env="test">
      <EditableChoice
        label="Stage"
        value="b"
        values={['', 'a', 'b', 'c']}
        render={(value) => value || 'None'}
        onChoose={onChoose}
      />
    </MantineProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: /Edit Stage:\s*b/ }))
  const current = screen.getByRole('menuitemradio', { name: 'b' })
  await waitFor(() => expect(document.activeElement).toBe(current))
  fireEvent.click(current)
  expect(onChoose).not.toHaveBeenCalled()
})
