import { act, cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { afterEach, expect, test } from 'vitest'
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

const FirstScreen = () => 'First screen'
const LateScreen = () => 'Late screen'

/** Two screens, of which the second comes when it is told to. */
function setUp() {
  let arrive = () => {}
  const late = new Promise<{ Component: typeof LateScreen }>((resolve) => {
    arrive = () => resolve({ Component: LateScreen })
  })
  const children = [
    { path: '/', Component: FirstScreen },
    { path: '/late', lazy: () => late },
  ]
  const router = createMemoryRouter([{ Component: Frame, children }])
  render(<RouterProvider router={router} />)
  return { router, arrive }
}

test('a screen that comes has the keyboard, whatever the way there was chosen in', async () => {
  for (const isChosenInDialog of [false, true]) {
    const { router, arrive } = setUp()
    const opener = screen.getByRole('button', { name: 'Search' })
    if (isChosenInDialog) act(() => opener.click())
    await act(async () => void router.navigate('/late'))
    await act(async () => arrive())
    await screen.findByText('Late screen')
    expect(document.activeElement).toBe(screen.getByRole('main'))
    cleanup()
  }
})

test('a screen that comes late leaves the keyboard in a dialog opened meanwhile', async () => {
  const { router, arrive } = setUp()
  await act(async () => void router.navigate('/late'))
  act(() => screen.getByRole('button', { name: 'Search' }).click())
  const query = screen.getByRole('textbox', { name: 'Query' })
  query.focus()
  await act(async () => arrive())
  await screen.findByText('Late screen')
  expect(document.activeElement).toBe(query)
})
