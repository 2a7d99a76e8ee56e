import { fetchCode } from '#ui/fetch-code.ts'

/** Called when a deal was won by the user. Nothing for those who want no motion; a failure to load it is no matter. */
export function celebrateWin(): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  fetchCode(() => import('./celebration.ts')).then(
    ({ celebrate }) => celebrate(),
    () => {},
  )
}
