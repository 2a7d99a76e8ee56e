import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { resetStores } from '#lib/store.ts'
import { CallOfferHost } from './call-offer-host.tsx'

const askToLog = vi.hoisted(() => vi.fn())
vi.mock('#features/timeline/index.ts', () => ({ askToLog }))

const ada = '0193a1b2-0000-7000-8000-000000000001'
const acme = '0193a1b2-0000-7000-8000-000000000002'

/** No phone program is opened here. */
const stay = (event: Event) => event.preventDefault()
beforeEach(() => {
  vi.clearAllMocks()
  window.addEventListener('click', stay)
})
afterEach(() => {
  cleanup()
  window.removeEventListener('click', stay)
  act(resetStores)
})

function show(address: string) {
  const element = (
    <MantineProvider env="test">
      <a href="tel:+491">The page’s</a>
      <article>
        <a href={`/app/contacts/${ada}?q=a`} data-row-link>
          Ada
        </a>
        <a href="tel:+492">Ada’s</a>
      </article>
      <CallOfferHost />
    </MantineProvider>
  )
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return () => router.state.location.pathname + router.state.location.search
}

const comeBack = () => act(() => window.dispatchEvent(new Event('focus')))
const dial = (name: string) => fireEvent.click(screen.getByRole('link', { name }))
const offer = () => screen.queryByRole('button', { name: 'Log this call' })

test('a call from the page of a record is offered to be logged there, once', async () => {
  const at = show(`/app/companies/${acme}`)
  comeBack()
  expect(offer()).toBeNull()
  dial('The page’s')
  expect(offer()).toBeNull()
  comeBack()
  fireEvent.click(await screen.findByRole('button', { name: 'Log this call' }))
  expect(askToLog.mock.calls).toEqual([['call', { minutes: '1', on: acme }]])
  expect(at()).toBe(`/app/companies/${acme}`)
  expect(offer()).toBeNull()
  comeBack()
  expect(offer()).toBeNull()
})

test('one from a row or card is logged on the record of that row, on its page', async () => {
  const at = show('/app/contacts')
  dial('The page’s')
  comeBack()
  // Nobody knows whose number it was.
  expect(offer()).toBeNull()
  dial('Ada’s')
  comeBack()
  fireEvent.click(await screen.findByRole('button', { name: 'Log this call' }))
  expect(askToLog.mock.calls).toEqual([['call', { minutes: '1', on: ada }]])
  expect(at()).toBe(`/app/contacts/${ada}?q=a`)
})

test('the offer can be declined', async () => {
  show(`/app/companies/${acme}`)
  dial('Ada’s')
  act(() => document.dispatchEvent(new Event('visibilitychange')))
  fireEvent.click(await screen.findByRole('button', { name: 'Don’t log this call' }))
  expect(offer()).toBeNull()
})
