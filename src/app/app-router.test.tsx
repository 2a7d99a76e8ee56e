import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { guardLeaving } from '#ui/navigation.ts'
import { AppRouter, createAppRoutes, pageRoute } from './app-router.tsx'

const Crash = ({ error }: { error: unknown }) => `Crashed: ${(error as Error).message}`

function Frame() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <output>{`${pathname}${search} ${JSON.stringify(state)}`}</output>
      <Link to="/two" state={{ from: 'a link' }}>
        Two
      </Link>
      <button type="button" onClick={() => navigate('?q=1', { replace: true })}>
        Filter
      </button>
      <Outlet />
    </>
  )
}

function Broken(): never {
  throw new Error('broken')
}

let arrive: (() => void)[] = []
let isCodeThere = true

function open(): void {
  const pages = [
    { path: 'one', load: async () => 'First' },
    { path: 'two', load: async () => 'Second' },
    {
      path: 'late/:id',
      load: () => new Promise<string>((resolve) => void arrive.push(() => resolve('Late'))),
    },
    { path: 'broken', load: async () => <Broken /> },
    {
      path: 'gone',
      load: async () => {
        if (!isCodeThere) throw new Error('no code')
        return 'Here again'
      },
    },
  ]
  const children = pages.map(({ path }) => pageRoute(path, Crash))
  const app = createAppRoutes([{ path: '/', element: <Frame />, children }], pages)
  render(<AppRouter app={app} fallback="Coming" Crash={Crash} />)
}

const link = () => screen.getByRole('link', { name: 'Two' })
const shown = () => screen.getByRole('status').textContent
/** As a link of the app does. */
async function go(address: string): Promise<void> {
  const state = { usr: null, key: address, idx: (window.history.state?.idx ?? 0) + 1 }
  await act(async () => {
    window.history.pushState(state, '', address)
    window.dispatchEvent(new PopStateEvent('popstate', { state }))
  })
}
async function back(): Promise<void> {
  await act(async () => {
    const isBack = new Promise((resolve) =>
      window.addEventListener('popstate', resolve, { once: true }),
    )
    window.history.back()
    await isBack
  })
}

beforeEach(() => {
  window.scrollTo = vi.fn()
  window.history.pushState(null, '', '/one')
})
afterEach(() => {
  cleanup()
  arrive = []
  isCodeThere = true
  vi.restoreAllMocks()
  window.history.pushState(null, '', '/')
})

test('a link leads to a screen with what it says, and Back to where one was', async () => {
  open()
  expect(screen.getByText('Coming')).toBeTruthy()
  expect(await screen.findByText(/First/)).toBeTruthy()
  await act(async () => link().click())
  expect(await screen.findByText(/Second/)).toBeTruthy()
  expect(shown()).toBe('/two {"from":"a link"}')
  expect(window.location.pathname).toBe('/two')
  const entries = window.history.length
  act(() => screen.getByRole('button', { name: 'Filter' }).click())
  expect(shown()).toBe('/two?q=1 null')
  expect(window.history.length).toBe(entries)
  await back()
  expect(screen.getByText(/First/)).toBeTruthy()
})

test('the address changes when the code is there, and the last to be asked for wins', async () => {
  open()
  await screen.findByText(/First/)
  await go('/late/7')
  expect(screen.getByText(/First/)).toBeTruthy()
  await act(async () => link().click())
  expect(await screen.findByText(/Second/)).toBeTruthy()
  await act(async () => arrive.at(-1)?.())
  expect(screen.getByText(/Second/)).toBeTruthy()
  expect(shown()).toMatch('/two')
  await go('/late/8')
  expect(await screen.findByText(/Late/)).toBeTruthy()
  expect(shown()).toMatch('/late/8')
})

test('a screen that crashes leaves its frame, and another address is shown', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  open()
  await go('/broken')
  expect(await screen.findByText(/Crashed: broken/)).toBeTruthy()
  expect(shown()).toMatch('/broken')
  await act(async () => link().click())
  expect(await screen.findByText(/Second/)).toBeTruthy()
})

test('code that was missing is asked for again when the screen is', async () => {
  isCodeThere = false
  open()
  await go('/gone')
  expect(await screen.findByText(/Crashed: no code/)).toBeTruthy()
  isCodeThere = true
  await act(async () => link().click())
  await screen.findByText(/Second/)
  await go('/gone')
  expect(await screen.findByText(/Here again/)).toBeTruthy()
})

test('leaving has to be agreed to, by a link and by Back', async () => {
  open()
  await screen.findByText(/First/)
  await act(async () => link().click())
  await screen.findByText(/Second/)
  let answer = (_isAgreed: boolean) => {}
  const mayLeave = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)))
  const release = guardLeaving({ asks: (from, to) => from !== to, mayLeave })
  await back()
  await waitFor(() => expect(window.location.pathname).toBe('/two'))
  expect(mayLeave).toHaveBeenCalledTimes(1)
  await act(async () => answer(false))
  expect(screen.getByText(/Second/)).toBeTruthy()
  await back()
  await waitFor(() => expect(window.location.pathname).toBe('/two'))
  await act(async () => answer(true))
  expect(await screen.findByText(/First/)).toBeTruthy()
  expect(window.location.pathname).toBe('/one')
  await act(async () => link().click())
  expect(screen.getByText(/First/)).toBeTruthy()
  await act(async () => answer(true))
  expect(await screen.findByText(/Second/)).toBeTruthy()
  release()
})
