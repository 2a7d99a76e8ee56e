let isLeaving = false

/** Tell whether a reload would lose work, such as an upload, or the typed line of quick add. */
const held = new Set<() => boolean>()

/** Whether a reload would stop or lose something besides typed text on the screen, for which `mayDiscardAll` asks. */
export function losesByReload(): boolean {
  return [...held].some((holds) => holds())
}

/** Counts among what a reload would lose, while it holds something. */
export function holdOverReload(holds: () => boolean): () => void {
  held.add(holds)
  return () => held.delete(holds)
}

/** Reloads the page without the browser's question: the user has answered ours. */
export function reloadWithoutWarning(): void {
  isLeaving = true
  window.location.reload()
}

/**
 * Makes the browser ask before the tab is closed or left, until the returned function is called. Links to the mail
 * program or the phone do not leave the page, although browsers fire the event for them: they pass. `isTypedText` is for text
 * about which `mayDiscardAll` asks.
 */
export function warnBeforeUnload(isTypedText = false): () => void {
  const release = isTypedText ? () => {} : holdOverReload(() => true)
  let handedOverAt = Number.NEGATIVE_INFINITY
  const noteLink = ({ target, timeStamp }: MouseEvent) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link && /^(mailto|tel):/.test(link.href)) handedOverAt = timeStamp
  }
  const warn = (event: BeforeUnloadEvent) => {
    if (!isLeaving && event.timeStamp - handedOverAt > 1000) event.preventDefault()
  }
  window.addEventListener('click', noteLink, true)
  window.addEventListener('beforeunload', warn)
  return () => {
    release()
    window.removeEventListener('click', noteLink, true)
    window.removeEventListener('beforeunload', warn)
  }
}
