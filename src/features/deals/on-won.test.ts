import { waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { celebrateWin } from './on-won.ts'

const sky = () => document.querySelector('[data-celebration]')
const wantsMotion = (isWanted: boolean) =>
  vi
    .spyOn(window, 'matchMedia')
    .mockReturnValue({ matches: !isWanted } as ReturnType<typeof window.matchMedia>)

afterEach(() => {
  sky()?.remove()
  vi.restoreAllMocks()
})

test('a win is celebrated out of the way of readers, and the last piece takes it away', async () => {
  wantsMotion(true)
  celebrateWin()
  await waitFor(() => expect(sky()).not.toBeNull())
  expect(sky()?.getAttribute('aria-hidden')).toBe('true')
  for (const piece of sky()?.children ?? []) {
    piece.dispatchEvent(new Event('animationend', { bubbles: true }))
  }
  expect(sky()).toBeNull()
})

test('who wants no motion sees none', async () => {
  wantsMotion(false)
  celebrateWin()
  // The code of the celebration is here after this.
  await import('./celebration.ts')
  expect(sky()).toBeNull()
})
