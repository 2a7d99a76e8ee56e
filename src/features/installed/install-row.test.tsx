import { MantineProvider } from '@mantine/core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { installsByMenu, watchInstallPrompt } from './install-prompt.ts'
import { InstallRow } from './install-row.tsx'

const { navigator: ownNavigator } = globalThis
afterEach(() => {
  vi.stubGlobal('navigator', ownNavigator)
})

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, true],
  ['an iPad', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 5, true],
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 0, false],
])('%s installs by its menu: %s', (_, userAgent, maxTouchPoints, isByMenu) => {
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints })
  expect(installsByMenu()).toBe(isByMenu)
})

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
