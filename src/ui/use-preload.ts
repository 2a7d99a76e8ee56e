import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

/** Loads parts of a screen that are opened on it, once it shows its data: they open at once when they are wanted. */
export function usePreload(
  isShown: boolean,
  ...parts: { preload: () => Promise<boolean> }[]
): void {
  const [first, second] = parts
  useEffect(() => {
    if (!isShown) return
    whenIdle(() => first?.preload())
    whenIdle(() => second?.preload())
  }, [isShown, first, second])
}
