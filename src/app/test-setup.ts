import { configure } from '@testing-library/react'
import { vi } from 'vitest'

// jsdom has no layout and so no media queries; Mantine asks for the colour scheme at its first render.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
}))

// Nor sizes that change: a list that opens under a field asks to be told of its own.
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
)

// Nor places to scroll to: the row of a list that Enter would take is brought into view.
Element.prototype.scrollIntoView = () => {}

// Parts that load when they are first needed take their time on a busy machine.
configure({ asyncUtilTimeout: 15_000 })
