import { type ComponentType, useState } from 'react'
import { useShortcut } from '#ui/shortcut.ts'
import { searchShortcut, searchSwitch } from './search-switch.ts'

type SearchHostProps = {
  /** A lazy part. */
  dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>
}

/** Mounted once in the workspace: the search over everything, and the key that opens it. */
export function SearchHost({ dialog: Dialog }: SearchHostProps) {
  const isOpen = searchSwitch.useIsOpen()
  // Stays mounted after the first opening, for the closing animation.
  const [isWanted, setIsWanted] = useState(false)
  if (isOpen && !isWanted) setIsWanted(true)
  useShortcut(searchShortcut, () => searchSwitch.set(true))
  if (!isWanted) return null
  return <Dialog isOpen={isOpen} onClose={() => searchSwitch.set(false)} />
}
