import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newDraft } from '#domain/mail-draft.ts'
import { keepsData, setKeepsData } from '#lib/device-store.ts'
import { databases } from '#lib/test-databases.ts'
import { beginSession } from '#lib/test-session.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { KeepDataRow } from './keep-data-row.tsx'

vi.mock('idb-keyval', async () => (await import('#lib/test-databases.ts')).idbKeyval)
vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: 'u' } }) }))

let endSession = () => {}
beforeEach(() => {
  endSession = beginSession()
})
afterEach(() => {
  databases.get('solo-u')?.clear()
  setKeepsData(true)
  endSession()
})

const kept = () => [...(databases.get('solo-u')?.keys() ?? [])]
const choice = () => screen.getByRole('switch', { name: 'Keep data on this device' })

test('turned off, everything goes; an email that nobody is writing any more is asked about first', async () => {
  render(
    <MantineProvider>
      <KeepDataRow />
      <ConfirmHost />
    </MantineProvider>,
  )
  fireEvent.click(choice())
  await waitFor(() => expect(keepsData()).toBe(false))
  fireEvent.click(choice())
  await waitFor(() => expect(keepsData()).toBe(true))

  const draft = { ...newDraft, subject: 'The offer' }
  databases.get('solo-u')?.set('mail-draft a', { draft, at: 1 }).set('kept:read', 1)
  fireEvent.click(choice())
  expect(await screen.findByText(/You didn’t finish an email: “The offer”/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([keepsData(), kept()]).toEqual([true, ['mail-draft a', 'kept:read']])

  fireEvent.click(choice())
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(kept()).toEqual([]))
  expect(keepsData()).toBe(false)
})

test('what another window chooses shows and holds here at once', async () => {
  render(
    <MantineProvider>
      <KeepDataRow />
    </MantineProvider>,
  )
  expect(choice()).toHaveProperty('checked', true)
  localStorage.setItem('solo-keep-data', 'no')
  fireEvent(window, new StorageEvent('storage', { key: 'solo-keep-data' }))
  await waitFor(() => expect(choice()).toHaveProperty('checked', false))
})
