import { useState } from 'react'
import { openedPart } from '#ui/lazy-part.tsx'
import { useShortcut } from '#ui/shortcut.ts'
import { helpShortcut, openShortcuts, shortcutsSwitch } from './shortcuts-switch.ts'

const ShortcutsDialog = openedPart(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
)

/** Mounted once in the workspace: the sheet that lists all keys, and the key that opens it. */
export function ShortcutsHost() {
  const isOpen = shortcutsSwitch.useIsOpen()
  // Stays mounted after the first opening, so that closing returns the focus.
  const [isWanted, setIsWanted] = useState(false)
  if (isOpen && !isWanted) setIsWanted(true)
  useShortcut(helpShortcut, openShortcuts)
  if (!isWanted) return null
  return <ShortcutsDialog isOpen={isOpen} onClose={() => shortcutsSwitch.set(false)} />
}
