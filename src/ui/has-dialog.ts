/** Open dialogs: Mantine's, and the browser's own. */
export const dialogSelector = '[role="dialog"], dialog[open]'

/** Whether a dialog is open: then the keys belong to it. */
export function hasDialog(): boolean {
  return document.querySelector(`${dialogSelector}, [role="menu"]`) !== null
}

/** Whether another dialog or a menu is open over the one that asks. */
export function isDialogCovered(): boolean {
  return document.querySelectorAll(`${dialogSelector}, [role="menu"]`).length > 1
}
