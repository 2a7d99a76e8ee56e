import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyPart, MissingPartContext, type MissingPartProps, openedPart } from './lazy-part.tsx'

const gone = new TypeError('Failed to fetch dynamically imported module: /assets/menu.js')
const isThere = vi.fn<() => boolean>()

beforeEach(() => {
  isThere.mockReset().mockReturnValue(true)
  vi.stubGlobal('fetch', async () => {
    if (!isThere()) throw new TypeError('Failed to fetch')
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Missing({ problem, name, onRetry, onClose }: MissingPartProps) {
  return (
    <section aria-label={name ?? 'missing'}>
      {problem}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </section>
  )
}

const show = (children: React.ReactNode) => (
  <MissingPartContext value={Missing}>{children}</MissingPartContext>
)

type MenuProps = { isOpen: boolean; onClose: () => void }

const Menu = ({ isOpen }: MenuProps) => <nav>{isOpen ? 'open' : 'closed'}</nav>

function press(name: string): Promise<void> {
  return act(async () => {
    fireEvent.click(screen.getByRole('button', { name }))
  })
}

test('what was opened and finds nobody is told, closes, and is tried again when it is opened again', async () => {
  isThere.mockReturnValue(false)
  const load = vi.fn(async () => Menu)
  load.mockRejectedValueOnce(gone).mockRejectedValueOnce(gone)
  const Part = openedPart(load)
  const onClose = vi.fn()
  const { rerender } = render(show(<Part isOpen onClose={onClose} />))
  expect((await screen.findByRole('region')).textContent).toContain('unreachable')
  expect(load).toHaveBeenCalledTimes(1)
  await press('Close')
  expect(onClose).toHaveBeenCalledOnce()
  rerender(show(<Part isOpen={false} onClose={onClose} />))
  expect(screen.queryByRole('region')).toBeNull()
  rerender(show(<Part isOpen onClose={onClose} />))
  expect((await screen.findByRole('region')).textContent).toContain('unreachable')
  expect(load).toHaveBeenCalledTimes(2)
  await press('Try again')
  expect(screen.getByRole('navigation').textContent).toBe('open')
  expect(screen.queryByRole('region')).toBeNull()
})

test('the message is gone before what was opened comes, so that the keyboard is back', async () => {
  isThere.mockReturnValue(false)
  const seen: unknown[] = []
  const load = vi.fn(async () => () => {
    seen.push(screen.queryByRole('region'))
    return null
  })
  load.mockRejectedValueOnce(gone)
  const Part = openedPart(load)
  render(show(<Part onClose={() => {}} />))
  await screen.findByRole('region')
  await press('Try again')
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.every((each) => each === null)).toBe(true)
})

test('what fails although somebody answers is tried once more, and then there is a new version', async () => {
  const load = vi.fn<() => Promise<typeof Menu>>().mockRejectedValue(gone)
  const Part = openedPart(load)
  render(show(<Part isOpen onClose={() => {}} />))
  expect((await screen.findByRole('region')).textContent).toContain('outdated')
  expect(load).toHaveBeenCalledTimes(2)
})

test('the trouble of a moment is never told', async () => {
  const load = vi.fn(async () => Menu)
  load.mockRejectedValueOnce(gone)
  const Part = openedPart(load)
  render(show(<Part isOpen onClose={() => {}} />))
  expect((await screen.findByRole('navigation')).textContent).toBe('open')
  expect(screen.queryByRole('region')).toBeNull()
})

test('who closes while it is tried again is not told any more', async () => {
  isThere.mockReturnValue(false)
  let fail = () => {}
  const load = vi.fn<() => Promise<typeof Menu>>().mockRejectedValueOnce(gone)
  load.mockImplementationOnce(
    () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(gone)
      }),
  )
  const Part = openedPart(load)
  const { rerender } = render(show(<Part isOpen onClose={() => {}} />))
  await screen.findByRole('region')
  await press('Try again')
  rerender(show(<Part isOpen={false} onClose={() => {}} />))
  await act(async () => fail())
  expect(screen.queryByRole('region')).toBeNull()
})

test('what is fetched ahead in vain raises nothing; in time, it is there at once', async () => {
  isThere.mockReturnValue(false)
  const load = vi.fn(async () => Menu)
  load.mockRejectedValueOnce(gone)
  const Part = openedPart(load)
  expect(await Part.preload()).toBe(false)
  expect(await Part.preload()).toBe(true)
  render(show(<Part isOpen onClose={() => {}} />))
  expect(screen.getByRole('navigation').textContent).toBe('open')
  expect(load).toHaveBeenCalledTimes(2)
})

test('what stands in a screen keeps its place, and comes everywhere when the connection does', async () => {
  isThere.mockReturnValue(false)
  const load = vi.fn(async () => ({ text }: { text: string }) => <b>{text}</b>)
  load.mockRejectedValueOnce(gone)
  const Part = lazyPart(load, { loading: ({ text }) => <i>{text}</i> })
  const { container } = render(
    show(
      <>
        <Part text="one" />
        <Part text="two" />
      </>,
    ),
  )
  await act(async () => {})
  expect(container.innerHTML).toBe('<i>one</i><i>two</i>')
  await act(async () => window.dispatchEvent(new Event('online')))
  expect(container.innerHTML).toBe('<b>one</b><b>two</b>')
})

test('what a screen is made of says in its place that it is missing', async () => {
  const load = vi.fn<() => Promise<typeof Menu>>().mockRejectedValue(gone)
  const Part = lazyPart(load, { name: 'The board' })
  render(show(<Part isOpen onClose={() => {}} />))
  expect((await screen.findByRole('region', { name: 'The board' })).textContent).toContain(
    'outdated',
  )
})
