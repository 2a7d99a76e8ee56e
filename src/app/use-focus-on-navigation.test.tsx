import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { AppRouter, createAppRoutes, pageRoute } from './app-router.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

afterEach(cleanup)

function Frame() {
  const main = useFocusOnNavigation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setIsOpen(!isOpen)}>
        Search
      </button>
      {isOpen && (
        <div role="dialog">
          <input aria-label="Query" />
        </div>
      )}
      <main ref={main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

/** Two screens, of which the second comes when it is told to. */
function setUp() {
  let arrive = (_screen?: ReactNode) => {}
  const late = new Promise<ReactNode>((resolve) => {
    arrive = (screen = 'Late screen') => resolve(screen)
  })
  const pages = [
    { path: 'first', load: async () => 'First screen' },
    { path: 'late', load: () => late },
  ]
  window.history.pushState(null, '', '/first')
  const children = pages.map(({ path }) => pageRoute(path, () => null))
  const app = createAppRoutes([{ path: '/', element: <Frame />, children }], pages)
  render(<AppRouter app={app} fallback="Coming" Crash={() => null} />)
  return { leave: () => app.navigator.forLinks.push('/late'), arrive }
}

test('a screen that comes has the keyboard, whatever the way there was chosen in', async () => {
  for (const isChosenInDialog of [false, true]) {
    const { leave, arrive } = setUp()
    const opener = await screen.findByRole('button', { name: 'Search' })
    if (isChosenInDialog) act(() => opener.click())
    await act(async () => leave())
    await act(async () => arrive())
    await screen.findByText('Late screen')
    expect(document.activeElement).toBe(screen.getByRole('main'))
    cleanup()
  }
})

test('a screen that comes late leaves the keyboard in a dialog opened meanwhile', async () => {
  const { leave, arrive } = setUp()
  const opener = await screen.findByRole('button', { name: 'Search' })
  await act(async () => leave())
  act(() => opener.click())
  const query = screen.getByRole('textbox', { name: 'Query' })
  query.focus()
  await act(async () => arrive())
  await screen.findByText('Late screen')
  expect(document.activeElement).toBe(query)
})

function AskedText() {
  const text = useRef<HTMLTextAreaElement>(null)
  useEffect(() => text.current?.focus(), [])
  return <textarea ref={text} aria-label="Call notes" />
}

test('a screen that comes leaves the keyboard in the text that it was opened for', async () => {
  const { leave, arrive } = setUp()
  await screen.findByText('First screen')
  await act(async () => leave())
  await act(async () => arrive(<AskedText />))
  const text = await screen.findByRole('textbox', { name: 'Call notes' })
  expect(document.activeElement).toBe(text)
})
