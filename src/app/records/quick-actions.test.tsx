import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useComposer, useOpenForm } from '#features/forms/index.ts'
import { resetStores } from '#lib/store.ts'
import { QuickActions, type QuickTargets } from './quick-actions.tsx'

const ada = { id: 'c', name: 'Ada' }
const all: QuickTargets = {
  phone: '+49 30 1234567',
  email: { filter: { ids: ['c'] }, count: 1 },
  task: { contact: ada },
  deal: { contact: ada },
}

/** No phone program is opened here. */
const stay = vi.fn((event: Event) => event.preventDefault())

beforeEach(() => window.addEventListener('click', stay))
afterEach(() => {
  cleanup()
  window.removeEventListener('click', stay)
  act(resetStores)
})

function OpenForm() {
  return (
    <>
      <pre>{JSON.stringify(useOpenForm().request)}</pre>
      <output>{JSON.stringify(useComposer().request)}</output>
    </>
  )
}

function show(targets: QuickTargets, isGone = false) {
  render(
    <MantineProvider env="test">
      <QuickActions targets={targets} isGone={isGone} />
      <OpenForm />
    </MantineProvider>,
  )
}

const names = () =>
  [...document.querySelectorAll('a, button')].map(({ textContent }) => textContent)
const asked = () => document.querySelector('output')?.textContent
const opened = () => document.querySelector('pre')?.textContent

test('what a record cannot do is not there', () => {
  show(all)
  expect(names()).toEqual(['Call', 'Email', 'Log call', 'Task', 'Deal'])
  expect(screen.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+49301234567')
  cleanup()
  show({ phone: null, email: null, task: {}, deal: null })
  expect(names()).toEqual(['Log call', 'Task'])
  cleanup()
  show({ ...all, phone: 'none' })
  expect(names()).not.toContain('Call')
})

test('keys do the same, linked to the record', () => {
  show(all)
  fireEvent.keyDown(document.body, { key: 't' })
  expect(opened()).toBe(JSON.stringify({ form: 'task', contact: ada }))
  fireEvent.keyDown(document.body, { key: 'd' })
  expect(opened()).toBe(JSON.stringify({ form: 'deal', contact: ada }))
  stay.mockClear()
  fireEvent.keyDown(document.body, { key: 'c' })
  expect(stay).toHaveBeenCalledOnce()
})

test('a deleted record is not worked on', () => {
  show(all, true)
  fireEvent.keyDown(document.body, { key: 't' })
  expect(opened()).toBe('null')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Task' }).disabled).toBe(true)
})

test('a company is written to at its own address, or at its contacts’', async () => {
  const task = { company: { id: 'a', name: 'Acme' } }
  const alone = { phone: null, email: null, addresses: ['info@acme.example'], task, deal: null }
  show(alone)
  fireEvent.click(screen.getByRole('button', { name: 'Email' }))
  expect(asked()).toBe(JSON.stringify({ address: 'info@acme.example' }))
  cleanup()
  const contacts = { filter: { company: 'a' }, count: 2 }
  show({ ...alone, email: contacts })
  fireEvent.keyDown(document.body, { key: 'e' })
  fireEvent.click(await screen.findByRole('menuitem', { name: '2 contacts' }))
  expect(asked()).toBe(JSON.stringify({ contacts }))
  fireEvent.click(screen.getByRole('button', { name: 'Email' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'info@acme.example' }))
  expect(asked()).toBe(JSON.stringify({ address: 'info@acme.example' }))
})
