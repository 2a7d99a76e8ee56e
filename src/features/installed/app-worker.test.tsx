import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { takeOver } from '#lib/take-over.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import type { Toast } from '#ui/toast.tsx'
import { holdOverReload } from '#ui/unload-warning.ts'
import { startWorker } from './app-worker.ts'

const offers: Toast[] = []
vi.mock('#ui/toast.tsx', () => ({ showToast: (offer: Toast) => offers.push(offer) }))

const postMessage = vi.fn()
let release = () => {}

beforeEach(async () => {
  offers.length = 0
  vi.stubEnv('PROD', true)
  const registration = { waiting: { postMessage }, addEventListener: () => {} }
  const serviceWorker = { register: async () => registration, addEventListener: () => {} }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  render(
    <MantineProvider env="test">
      <ConfirmHost />
    </MantineProvider>,
  )
  startWorker()
  await vi.waitFor(() => expect(offers).toHaveLength(1))
})
afterEach(() => {
  release()
  cleanup()
  vi.clearAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.unstubAllEnvs()
})

test('with nothing at work Reload takes the new version without a question', async () => {
  offers[0]?.action?.onClick()
  await vi.waitFor(() => expect(postMessage).toHaveBeenCalledWith(takeOver))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('while something is at work Reload asks; Not now keeps it and the offer', async () => {
  release = holdOverReload(() => true)
  offers[0]?.action?.onClick()
  const dialog = await screen.findByRole('dialog', { name: 'Reload now?' })
  expect(dialog.textContent).toContain('an upload, an import, a restore or a line to add')
  expect(postMessage).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
  await vi.waitFor(() => expect(offers).toHaveLength(2))
  expect(postMessage).not.toHaveBeenCalled()
  offers[1]?.action?.onClick()
  fireEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  await vi.waitFor(() => expect(postMessage).toHaveBeenCalledWith(takeOver))
})
