import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { watchInstallPrompt } from './install-prompt.ts'
import { InstallRow } from './install-row.tsx'

test('offers to install where the browser does, and not again once it was asked', () => {
  watchInstallPrompt()
  render(<InstallRow />, { wrapper: MantineProvider })
  expect(screen.queryByText('Install Solo CRM')).toBeNull()
  const prompt = vi.fn(async () => ({ outcome: 'dismissed' }))
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
  act(() => {
    window.dispatchEvent(event)
  })
  // Otherwise the browser would show a banner of its own.
  expect(event.defaultPrevented).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Install' }))
  expect(prompt).toHaveBeenCalledOnce()
  expect(screen.queryByText('Install Solo CRM')).toBeNull()
})
