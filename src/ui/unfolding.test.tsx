import { Button, MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { UnfoldedMenu, UnfoldedPanel } from './unfolded.tsx'
import { Unfolding } from './unfolding.tsx'

afterEach(cleanup)

type Shown = typeof UnfoldedMenu | typeof UnfoldedPanel

function open(Shown: Shown, popup: 'menu' | 'dialog') {
  render(
    <MantineProvider env="test">
      <Unfolding popup={popup} button={(button) => <Button {...button}>Options</Button>}>
        {(onClose) => (
          <Shown label="Options" onClose={onClose}>
            <input aria-label="Inside" />
          </Shown>
        )}
      </Unfolding>
      <p>Outside</p>
    </MantineProvider>,
  )
  const button = screen.getByRole('button', { name: 'Options' })
  fireEvent.click(button)
  return button
}

const inside = () => screen.findByLabelText('Inside')
const gone = () => waitFor(() => expect(screen.queryByLabelText('Inside')).toBeNull())

test.each([
  { name: 'menu', Shown: UnfoldedMenu, popup: 'menu' },
  { name: 'panel', Shown: UnfoldedPanel, popup: 'dialog' },
] as const)(
  'a $name closes by Escape, by a press outside and by its button, which has the focus then',
  async ({ Shown, popup }) => {
    const button = open(Shown, popup)
    fireEvent.keyDown(await inside(), { key: 'Escape' })
    await gone()
    expect(document.activeElement).toBe(button)

    fireEvent.click(button)
    await inside()
    expect(button.getAttribute('aria-expanded')).toBe('true')
    fireEvent.mouseDown(screen.getByText('Outside'))
    await gone()

    fireEvent.click(button)
    await inside()
    // As a mouse does: the press must not close it before the click, which would open it again.
    fireEvent.mouseDown(button)
    fireEvent.click(button)
    await gone()
    expect(button.getAttribute('aria-expanded')).toBe('false')
  },
)
