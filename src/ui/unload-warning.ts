let isLeaving = false

/** Reloads the page without the browser's question: the user has answered ours. */
export function reloadWithoutWarning(): void {
  isLeaving = true
  window.location.reload()
}

/**
 * Makes the browser ask before the tab is closed or left, until the returned function is called. Links to the mail
 * program or the phone do not leave the page, although browsers fire the event for them: they pass.
 */
export function warnBeforeUnload(): () => void {
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
    window.removeEventListener('click', noteLink, true)
    window.removeEventListener('beforeunload', warn)
  }
}
