import { useEffect } from 'react'
import { addressOfLink } from '#domain/mailto.ts'
import { WriteEmail } from '#features/compose/index.ts'
import { openComposer, useComposer } from '#features/forms/index.ts'

/** Mounted once in the workspace; shows the composer that `openComposer` asked for. */
export function ComposerHost() {
  const { request, close } = useComposer()
  useEffect(() => {
    document.addEventListener('click', writeToAddress, true)
    return () => document.removeEventListener('click', writeToAddress, true)
  }, [])
  return request && <WriteEmail request={request} onClose={close} />
}

/**
 * Opens the composer for a click on any mailto: link. The element stays a real link, so that the address can be copied and
 * a click with a modifier key does what the browser does.
 */
function writeToAddress(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element && event.target.closest('a[href^="mailto:" i]')
  const address = link && addressOfLink(link.getAttribute('href') ?? '')
  // A link marked data-hands-over is meant to open the mail program.
  if (!link || !address || link.closest('[data-hands-over]')) return
  event.preventDefault()
  openComposer({ address })
}
