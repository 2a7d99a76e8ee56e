import { useEffect, useEffectEvent } from 'react'
import { hasDialog } from './has-dialog.ts'

/**
 * Keys and their action. Handlers, hints and the sheet of shortcuts use this one definition. `Mod` is Command on a Mac
 * and Control elsewhere; each of the keys works.
 */
export type Shortcut = { keys: readonly string[]; does: string }

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

export function isPressed(event: Press, { keys }: Shortcut): boolean {
  const pressed = event.key === ' ' ? 'Space' : event.key
  return keys.some((key) => {
    const parts = key.split('+')
    const name = parts.at(-1) ?? ''
    if (event.altKey !== parts.includes('Alt')) return false
    if ((event.ctrlKey || event.metaKey) !== parts.includes('Mod')) return false
    // A sign such as the question mark needs Shift on most keyboards, but not on all.
    if (!isSign(name) && event.shiftKey !== parts.includes('Shift')) return false
    return pressed.toLowerCase() === name.toLowerCase()
  })
}

function isSign(name: string): boolean {
  return name.length === 1 && name.toLowerCase() === name.toUpperCase()
}

/** For `aria-keyshortcuts` of the control with the same action. */
export function ariaKeys({ keys }: Shortcut): string {
  return keys
    .flatMap((key) =>
      key.startsWith('Mod+') ? [key.replace('Mod', 'Control'), key.replace('Mod', 'Meta')] : [key],
    )
    .join(' ')
}

const signs: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
}

/** The labels of the keys, as this machine's keyboard names them. */
export function keyCaps(key: string): string[] {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  return key.split('+').map((part) => {
    if (part === 'Mod') return isMac ? '⌘' : 'Ctrl'
    return signs[part] ?? (part.length === 1 ? part.toUpperCase() : part)
  })
}

/** Whether the target is a text field, where every key is text. Checkboxes are not. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  return target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
}

type ShortcutOptions = {
  /** Set while the dialog of this key is open: then the key closes it. */
  isOpen?: boolean
  /** In a text field the browser's own action of this key stays, as for Control+Z. */
  isLeftToFields?: boolean
}

/**
 * Binds a key for the whole page. In a text field only keys with `Mod` fire; while a dialog is open, none.
 */
export function useShortcut(
  shortcut: Shortcut,
  run: () => void,
  { isOpen = false, isLeftToFields = false }: ShortcutOptions = {},
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isPressed(event, shortcut)) return
    const isText = !event.ctrlKey && !event.metaKey
    if ((isText || isLeftToFields) && isTyping(event.target)) return
    // Prevent the browser's action also when a dialog blocks ours.
    event.preventDefault()
    // Holding the key down would open and close again and again.
    if (!event.repeat && (isOpen || !hasDialog())) run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
