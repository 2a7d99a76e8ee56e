import { act, cleanup, render, screen } from '@testing-library/react'
import { Suspense, use } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useMailLinkProblem } from './mail-link.ts'

function Problem() {
  const { problem, putAside } = useMailLinkProblem()
  return (
    <button type="button" onClick={putAside}>
      {problem?.message ?? 'none'}
    </button>
  )
}

/** Until the promise holds, all that was drawn beside it is thrown away. */
function Waiting({ promise }: { promise: Promise<void> }) {
  use(promise)
  return null
}

describe('the problem of a link from a mail', () => {
  const error = new URLSearchParams({ error: 'denied', error_description: 'Too many attempts.' })

  beforeEach(() => window.history.replaceState({ kept: true }, '', `/auth#${error}`))
  afterEach(() => {
    cleanup()
    window.history.replaceState(null, '', '/')
  })

  test('is found again when the first drawing is given up', async () => {
    let end = () => {}
    const promise = new Promise<void>((resolve) => {
      end = resolve
    })
    await act(async () => {
      render(
        <Suspense fallback="waiting">
          <Problem />
          <Waiting promise={promise} />
        </Suspense>,
      )
    })
    expect(screen.getByText('waiting')).toBeTruthy()
    await act(async () => end())
    expect(screen.getByRole('button').textContent).toBe('Too many attempts.')
  })

  test.each(['#', '?'])('after %s is taken from the address, and so is said once', async (mark) => {
    window.history.replaceState({ kept: true }, '', `/auth${mark}${error}`)
    const { unmount } = render(<Problem />)
    expect(screen.getByRole('button').textContent).toBe('Too many attempts.')
    expect(window.location.href).toBe(`${window.location.origin}/auth`)
    expect(window.history.state).toEqual({ kept: true })
    unmount()
    render(<Problem />)
    expect(screen.getByRole('button').textContent).toBe('none')
  })

  test('is put aside', () => {
    render(<Problem />)
    act(() => screen.getByRole('button').click())
    expect(screen.getByRole('button').textContent).toBe('none')
  })
})
