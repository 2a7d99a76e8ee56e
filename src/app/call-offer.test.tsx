import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { resetStores } from '#lib/store.ts'
import { CallOfferHost } from './call-offer-host.tsx'

type Log = typeof import('#features/timeline/log-request.ts')

const askToLog = vi.hoisted(() => vi.fn())
vi.mock('#features/timeline/index.ts', async () => {
  const { useLogRequest } = await vi.importActual<Log>('#features/timeline/log-request.ts')
  return { askToLog, useLogRequest }
})

const ada = '0193a1b2-0000-7000-8000-000000000001'
const acme = '0193a1b2-0000-7000-8000-000000000002'

/** No phone program is opened here. */
const stay = (event: Event) => event.preventDefault()
beforeEach(() => {
  vi.clearAllMocks()
  window.addEventListener('click', stay)
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  window.sessionStorage.clear()
  window.removeEventListener('click', stay)
  act(resetStores)
})

function show(address: string) {
  const element = (
    <MantineProvider env="test">
      <a href="tel:+491" data-number="+49 1">
        The page’s
      </a>
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
  return Object.assign(() => router.state.location.pathname + router.state.location.search, {
    goTo: (to: string) => act(() => router.navigate(to)),
  })
}

const comeBack = () => act(() => window.dispatchEvent(new Event('focus')))
const dial = (name: string) => fireEvent.click(screen.getByRole('link', { name }))
const offer = () => screen.queryByRole('button', { name: 'Log this call' })

test('a call from the page of a record is offered to be logged there, once', async () => {
  const at = show(`/app/companies/${acme}`)
  // Of a deal, the number is that of its contact.
  screen.getByRole('link', { name: 'The page’s' }).dataset.person = 'Grace'
  comeBack()
  expect(offer()).toBeNull()
  dial('The page’s')
  expect(offer()).toBeNull()
  comeBack()
  expect((await screen.findByText(/^You called/)).textContent).toBe('You called Grace on +49 1.')
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
  expect((await screen.findByText(/^You called/)).textContent).toBe('You called Ada on +492.')
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

test('it goes when the call is logged on its page by other means, and when one has gone on to other pages', async () => {
  const { askToLog: log } = await vi.importActual<Log>('#features/timeline/log-request.ts')
  const { goTo } = show('/app/contacts')
  dial('Ada’s')
  comeBack()
  await screen.findByText(/^You called/)
  await goTo(`/app/contacts/${ada}`)
  act(() => log('note'))
  expect(offer()).not.toBeNull()
  act(() => log('call'))
  expect(offer()).toBeNull()
  await goTo('/app/contacts')
  dial('Ada’s')
  comeBack()
  await screen.findByText(/^You called/)
  for (const path of ['/app/deals', '/app/contacts', '/app/tasks']) await goTo(path)
  expect(offer()).not.toBeNull()
  await goTo('/app/dashboard')
  expect(offer()).toBeNull()
})

const minute = 60_000
const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
const leave = () => act(() => window.dispatchEvent(new Event('blur')))
function minutesProposed(): unknown {
  fireEvent.click(screen.getByRole('button', { name: 'Log this call' }))
  return askToLog.mock.calls.at(-1)?.[1].minutes
}

test('a call outlives a change of the page, and the end of it', async () => {
  vi.useFakeTimers()
  const { goTo } = show('/app/contacts')
  dial('Ada’s')
  leave()
  await goTo('/app/contacts?q=ada')
  await pass(3 * minute)
  cleanup()
  show('/app/deals')
  await pass(0)
  expect(minutesProposed()).toBe('3')
  cleanup()
  show('/app/deals')
  await pass(2000)
  expect(offer()).toBeNull()
})

test('where nothing takes the focus it is offered at once, and lasts until the user turns to something else', async () => {
  vi.useFakeTimers()
  show('/app/contacts')
  dial('Ada’s')
  await pass(900)
  expect(offer()).toBeNull()
  await pass(200)
  expect(offer()).not.toBeNull()
  await pass(7 * minute)
  leave()
  await pass(30 * minute)
  comeBack()
  expect(minutesProposed()).toBe('7')
})

test('a question which program shall dial ends no call, and what is done after it lengthens none', async () => {
  vi.useFakeTimers()
  show('/app/contacts')
  dial('Ada’s')
  leave()
  await pass(2000)
  comeBack()
  await pass(2000)
  leave()
  await pass(5 * minute)
  comeBack()
  await pass(2 * minute)
  leave()
  await pass(30 * minute)
  comeBack()
  expect(minutesProposed()).toBe('5')
})
