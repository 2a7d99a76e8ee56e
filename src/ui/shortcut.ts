import { useEffect, useEffectEvent } from 'react'
import { hasDialog } from './has-dialog.ts'

/**
 * Keys and what they do: bound, hinted at and listed from one definition. `Mod` is Command on a Mac and
 * Control elsewhere; any one of the keys will do.
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
    // A sign such as the question mark needs Shift on most keyboards, and not on all.
    if (!isSign(name) && event.shiftKey !== parts.includes('Shift')) return false
    return pressed.toLowerCase() === name.toLowerCase()
  })
}

function isSign(name: string): boolean {
  return name.length === 1 && name.toLowerCase() === name.toUpperCase()
}

/** For the attribute of the control that does the same. */
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
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** The caps of one key or several pressed together, as this machine's keyboard names them. */
export function keyCaps(key: string): string[] {
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  return key.split('+').map((part) => {
    if (part === 'Mod') return isMac ? '⌘' : 'Ctrl'
    return signs[part] ?? (part.length === 1 ? part.toUpperCase() : part)
  })
}

/** In a field every key is text. A box to tick is none. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  return target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
}

type ShortcutOptions = {
  /** What stands over the page was opened by this key, which closes it again. */
  isOpen?: boolean
}

/**
 * Binds a key of the whole page. In a field only keys with `Mod` fire, for every other is text; none fires under what
 * stands over the page.
 */
export function useShortcut(
  shortcut: Shortcut,
  run: () => void,
  { isOpen = false }: ShortcutOptions = {},
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isPressed(event, shortcut)) return
    const isText = !event.ctrlKey && !event.metaKey
    if (isText && isTyping(event.target)) return
    // Also where it does nothing here, it is not the browser's.
    event.preventDefault()
    // Held down, it would open and close without end.
    if (!event.repeat && (isOpen || !hasDialog())) run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
