/** In milliseconds: what a page still loads above comes within this time. */
const settling = 3000

/** In pixels: the bars at the top and at the foot of a phone. */
const edge = 96

const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown']

/**
 * Focuses a field and scrolls to it unless it is on the screen, and again when what loads above pushes it away, until the user
 * does something. What is read but not shown yet cannot be focused: then as soon as it can.
 */
export function leadTo(element: HTMLElement): void {
  function show(): void {
    const { top, bottom } = element.getBoundingClientRect()
    if (top >= edge && bottom <= window.innerHeight - edge) return
    element.scrollIntoView({ block: 'center' })
  }
  const observer = new ResizeObserver(show)
  let frame = 0
  function focus(): void {
    element.focus({ preventScroll: true })
    if (document.activeElement === element) show()
    else frame = requestAnimationFrame(focus)
  }
  function stop(): void {
    observer.disconnect()
    cancelAnimationFrame(frame)
    clearTimeout(atLast)
    for (const act of acts) window.removeEventListener(act, stop, true)
  }
  const atLast = setTimeout(stop, settling)
  for (const act of acts) window.addEventListener(act, stop, true)
  observer.observe(document.body)
  focus()
}
