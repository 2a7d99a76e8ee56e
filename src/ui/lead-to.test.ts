import { afterEach, expect, test, vi } from 'vitest'
import { leadTo } from './lead-to.ts'

afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** An element in a page of its own, 768 pixels high, whose top is told by `place`. */
function setUp() {
  const place = { top: 0 }
  let resize = () => {}
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resize = callback
      }
      observe() {}
      disconnect() {
        resize = () => {}
      }
    },
  )
  const element = document.body.appendChild(document.createElement('textarea'))
  vi.spyOn(element, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, place.top, 300, 60),
  )
  const scroll = vi.spyOn(element, 'scrollIntoView').mockImplementation(() => {})
  return { element, place, scroll, resize: () => resize() }
}

test('what is on the screen stays where it is', () => {
  const { element, place, scroll } = setUp()
  place.top = 300
  leadTo(element)
  expect(scroll).not.toHaveBeenCalled()
})

test('what loads above it pushes it away no more than the user does', () => {
  const { element, place, scroll, resize } = setUp()
  place.top = 1400
  leadTo(element)
  expect(scroll).toHaveBeenCalledTimes(1)
  place.top = 300
  resize()
  expect(scroll).toHaveBeenCalledTimes(1)
  place.top = 900
  resize()
  expect(scroll).toHaveBeenCalledTimes(2)
  window.dispatchEvent(new Event('wheel'))
  resize()
  expect(scroll).toHaveBeenCalledTimes(2)
})

test('what cannot have the focus yet gets it as soon as it can', async () => {
  const { element, place } = setUp()
  place.top = 300
  // As a field is that stands on a page but is not shown before the rest.
  element.disabled = true
  leadTo(element)
  expect(document.activeElement).not.toBe(element)
  element.disabled = false
  await vi.waitFor(() => expect(document.activeElement).toBe(element))
})
