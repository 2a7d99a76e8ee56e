import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { use, useEffect } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { useUrlChoices, useUrlState } from './url-state.ts'

const schema = z.object({ q: z.string().default(''), kind: z.array(z.string()).default([]) })

type DrawProps = { q: string; isFirst: boolean }
/** What drawing the list takes, in each test. */
let draw: (props: DrawProps) => void
/** When it is on the screen. */
let onDrawn: () => void

function Draw(props: DrawProps) {
  draw(props)
  return null
}

function List() {
  const { state, setState } = useUrlState(schema)
  useEffect(() => {
    onDrawn()
  })
  return (
    <>
      <Draw q={state.q} isFirst />
      <Draw q={state.q} isFirst={false} />
      <p>{`List: ${[state.q, ...state.kind].join(' ')}`}</p>
      <button type="button" onClick={() => setState(({ q }) => ({ q: `${q}!` }))}>
        Louder
      </button>
    </>
  )
}

function Controls() {
  const { state, setState } = useUrlChoices(schema)
  return (
    <>
      <p>{`Searched: ${state.q}`}</p>
      {['ann', 'anna'].map((q) => (
        <button
          key={q}
          type="button"
          onClick={() => setState({ q }, { isTyping: true })}
        >{`Search ${q}`}</button>
      ))}
      <p>{`Chosen: ${state.kind.join(' ')}`}</p>
      {['new', 'old'].map((kind) => (
        <button
          key={kind}
          type="button"
          onClick={() => setState({ kind: [...state.kind, kind] })}
        >{`Add ${kind}`}</button>
      ))}
    </>
  )
}

function Screen() {
  return (
    <>
      <Controls />
      <List />
    </>
  )
}

const OtherScreen = () => 'The other screen'
const button = (name: string) => screen.getByText(name, { selector: 'button' })
const press = (name: string) => act(async () => button(name).click())
const address = () => window.location.pathname + window.location.search

function open() {
  const router = createBrowserRouter([
    { path: '/list', Component: Screen },
    { path: '/other', Component: OtherScreen },
  ])
  render(<RouterProvider router={router} />)
  return router
}

/** The list is not drawn anew until this is called. */
function holdDrawing(): () => Promise<void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const shown = address()
  draw = () => {
    if (address() !== shown) use(held)
  }
  return () => act(async () => release())
}

beforeEach(() => {
  draw = () => {}
  onDrawn = () => {}
  window.history.replaceState(null, '', '/list')
})
afterEach(() => {
  cleanup()
  window.history.replaceState(null, '', '/')
})

test('a choice shows at once, and the next one builds on it, before the list has followed', async () => {
  open()
  const release = holdDrawing()
  await press('Add new')
  screen.getByText('Chosen: new')
  await press('Add old')
  screen.getByText('Chosen: new old')
  expect(address()).toBe('/list?kind=new&kind=old')
  // The list itself is as it was.
  screen.getByText('List:')
  await release()
  screen.getByText('List: new old')
})

test('what the list asks for builds on what is chosen, drawn or not', async () => {
  open()
  const release = holdDrawing()
  await press('Louder')
  await press('Louder')
  await press('Add new')
  expect(address()).toBe('/list?q=%21%21&kind=new')
  await release()
  screen.getByText('List: !! new')
})

test('Back leads through the choices, for the controls and for the list', async () => {
  open()
  await press('Add new')
  await press('Add old')
  screen.getByText('List: new old')
  await act(async () => window.history.back())
  await screen.findByText('Chosen: new')
  await screen.findByText('List: new')
})

test('a search that is drawn late does not bring back what was asked for before it', async () => {
  open()
  const texts: unknown[] = []
  draw = ({ q, isFirst }) => {
    // In the pause that React makes while the list of the first search is being drawn.
    if (q === 'ann' && isFirst) setImmediate(() => button('Search anna').click())
    // Longer than React draws without a pause.
    const until = performance.now() + 40
    while (performance.now() < until);
  }
  onDrawn = () => {
    setImmediate(() => texts.push(screen.queryByText(/^Searched:/)?.textContent))
  }
  // As in a browser: React draws when it finds the time, not whenever the test has done something.
  const isActing = Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false)
  try {
    button('Search ann').click()
    await waitFor(() => screen.getByText('List: anna'))
    await waitFor(() => expect(texts).not.toEqual([]))
  } finally {
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', isActing)
  }
  expect(new Set(texts)).toEqual(new Set(['Searched: anna']))
})

test('what is asked of a screen that is being left changes nothing elsewhere', async () => {
  const router = open()
  await act(async () => {
    router.navigate('/other')
    // The other one is in the address, this one still on the screen.
    button('Add new').click()
  })
  await screen.findByText('The other screen')
  expect(address()).toBe('/other')
})
