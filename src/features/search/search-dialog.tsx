import { Kbd, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import type { Command } from './command.ts'
import classes from './search.module.css'
import { SearchPanel } from './search-panel.tsx'

export type SearchDialogProps = { isOpen: boolean; commands: Command[]; onClose: () => void }

/** The search over records and commands. */
export function SearchDialog({ isOpen, commands, onClose }: SearchDialogProps) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (isOpen) opener.current = document.activeElement
  }, [isOpen])
  function close(): void {
    onClose()
    // Restore the focus at once, so that a form that is opened next remembers it.
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      returnFocus={false}
      size={640}
      yOffset="12dvh"
      fullScreen={isNarrow}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search" radius={isNarrow ? 0 : 'lg'}>
        <Modal.Body className={classes.panel ?? ''}>
          <SearchPanel
            commands={commands}
            onChoose={(run) => {
              close()
              run()
            }}
            onClose={close}
          />
          <p className={classes.foot} aria-hidden>
            <span>
              <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move
            </span>
            <span>
              <Kbd size="xs">Enter</Kbd> to choose
            </span>
            <span>
              <Kbd size="xs">Esc</Kbd> to close
            </span>
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
