/** What stands over the page; the last is the browser's own. */
export const dialogSelector = '[role="dialog"], dialog[open]'

/** What stands over the page has the keyboard for itself. */
export function hasDialog(): boolean {
  return document.querySelector(`${dialogSelector}, [role="menu"]`) !== null
}
