import { useHotkeys } from '@mantine/hooks'
import { type ComponentType, Suspense, useState } from 'react'
import { hasDialog } from '#ui/has-dialog.ts'
import { searchSwitch } from './search-switch.ts'

type SearchHostProps = {
  /** Comes when it is first opened. */
  dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>
}

/** Stands once in the workspace: the search over everything, and the key that opens it. */
export function SearchHost({ dialog: Dialog }: SearchHostProps) {
  const isOpen = searchSwitch.useIsOpen()
  // Once it has been opened it stays, to fade out again.
  const [isWanted, setIsWanted] = useState(false)
  if (isOpen && !isWanted) setIsWanted(true)
  const open = () => hasDialog() || searchSwitch.set(true)
  // On many keyboards the slash is above the seven.
  useHotkeys([
    ['/', open],
    ['shift+/', open],
  ])
  if (!isWanted) return null
  return (
    <Suspense>
      <Dialog isOpen={isOpen} onClose={() => searchSwitch.set(false)} />
    </Suspense>
  )
}
