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
 * A click on an address, wherever it is shown, writes to it from here. It stays a link of the browser, to be copied and
 * for those who press a key with it.
 */
function writeToAddress(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element && event.target.closest('a[href^="mailto:" i]')
  const address = link && addressOfLink(link.getAttribute('href') ?? '')
  // What hands over to a mail program means it.
  if (!link || !address || link.closest('[data-hands-over]')) return
  event.preventDefault()
  openComposer({ address })
}
