import type { KeyboardEvent } from 'react'
import { dialogSelector } from './has-dialog.ts'
import { ariaKeys, isPressed, keyCaps, type Shortcut } from './shortcut.ts'

export const formShortcuts = {
  save: { keys: ['Mod+Enter'], does: 'Save, from any field' },
  leave: { keys: ['Escape'], does: 'Close (asks first if there are changes)' },
} satisfies Record<string, Shortcut>

/** For `onKeyDownCapture` of a form: captures the key before a field uses Enter. */
export function saveOnKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget: form } = event
  if (!isPressed(event, formShortcuts.save) || !(target instanceof Element)) return
  // Ignore keys in a dialog over the form.
  if (target.closest(dialogSelector) !== form.closest(dialogSelector)) return
  event.preventDefault()
  event.stopPropagation()
  form.requestSubmit()
}

/** For the button that saves. */
export const savesOnKeys = {
  title: formShortcuts.save.keys.map((key) => keyCaps(key).join(' + ')).join(),
  'aria-keyshortcuts': ariaKeys(formShortcuts.save),
}
