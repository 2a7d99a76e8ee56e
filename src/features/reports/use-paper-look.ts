import { useEffect } from 'react'

/** Switches to the light theme while printing. */
export function usePaperLook(): void {
  useEffect(() => {
    const root = document.documentElement
    let before: string | undefined
    function lighten(): void {
      before ??= root.dataset.mantineColorScheme
      root.dataset.mantineColorScheme = 'light'
    }
    function restore(): void {
      if (before) root.dataset.mantineColorScheme = before
      before = undefined
    }
    window.addEventListener('beforeprint', lighten)
    window.addEventListener('afterprint', restore)
    return () => {
      window.removeEventListener('beforeprint', lighten)
      window.removeEventListener('afterprint', restore)
    }
  }, [])
}
