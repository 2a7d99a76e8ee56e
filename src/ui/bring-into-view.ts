/** In milliseconds: what a page still loads above comes within this time. */
const settling = 3000

/** In pixels: the bars at the top and at the foot of a phone. */
const edge = 96

const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown']

/**
 * Scrolls to an element unless it is on the screen, and again when what loads above pushes it away, until the user does
 * something.
 */
export function bringIntoView(element: HTMLElement): void {
  function show(): void {
    const { top, bottom } = element.getBoundingClientRect()
    if (top >= edge && bottom <= window.innerHeight - edge) return
    element.scrollIntoView({ block: 'center' })
  }
  const observer = new ResizeObserver(show)
  function stop(): void {
    observer.disconnect()
    clearTimeout(atLast)
    for (const act of acts) window.removeEventListener(act, stop, true)
  }
  const atLast = setTimeout(stop, settling)
  for (const act of acts) window.addEventListener(act, stop, true)
  observer.observe(document.body)
  show()
}
