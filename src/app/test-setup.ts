import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { noteAnswer } from '#lib/network.ts'

// The files of a worker share the page: what one leaves on it would be found by the next.
afterEach(cleanup)
// One test's lost network must not reach the next, which would then report no failed read.
afterEach(() => noteAnswer(true))

// jsdom has no layout and so no media queries; Mantine asks for the colour scheme at its first render.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
}))

// Nor a ResizeObserver, which Mantine's dropdowns use.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)

// Nor an IntersectionObserver, by which the end of a list reads on.
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    disconnect() {}
  },
)

// Nor fonts, for which Mantine's growing text fields wait.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })

// Nor scrolling, which the active option of a list uses.
Element.prototype.scrollIntoView = () => {}
Element.prototype.scrollTo = () => {}

// Lazy parts load slowly on a busy machine.
configure({ asyncUtilTimeout: 15_000 })
