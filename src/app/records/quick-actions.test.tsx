import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useOpenForm } from '#features/forms/index.ts'
import { resetStores } from '#lib/store.ts'
import { CallOffer } from './call-offer.tsx'
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
  return <pre>{JSON.stringify(useOpenForm().request)}</pre>
}

function show(targets: QuickTargets, isGone = false) {
  render(
    <MantineProvider env="test">
      <QuickActions targets={targets} isGone={isGone} />
      <CallOffer />
      <OpenForm />
    </MantineProvider>,
  )
}

const names = () =>
  [...document.querySelectorAll('a, button')].map(({ textContent }) => textContent)
const opened = () => document.querySelector('pre')?.textContent
const offer = () => screen.queryByRole('button', { name: 'Log this call' })

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

test('a call is offered to be logged when the user comes back', () => {
  show(all)
  act(() => window.dispatchEvent(new Event('focus')))
  expect(offer()).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'Call' }))
  expect(offer()).toBeNull()
  act(() => window.dispatchEvent(new Event('focus')))
  expect(screen.getByRole('status').textContent).toContain('You called +49301234567.')
  const button = offer()
  if (!button) throw new Error('Nothing is offered.')
  fireEvent.click(button)
  expect(offer()).toBeNull()
  // Once for each call.
  act(() => window.dispatchEvent(new Event('focus')))
  expect(offer()).toBeNull()
})

test('the offer can be declined', () => {
  show(all)
  fireEvent.click(screen.getByRole('link', { name: 'Call' }))
  act(() => document.dispatchEvent(new Event('visibilitychange')))
  fireEvent.click(screen.getByRole('button', { name: 'Don’t log this call' }))
  expect(offer()).toBeNull()
})
