import { vi } from 'vitest'

// jsdom has no layout and so no media queries; Mantine asks for the colour scheme at its first render.
vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
}))
