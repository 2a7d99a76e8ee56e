/** What stands over the page has the keyboard for itself. */
export function hasDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null
}
