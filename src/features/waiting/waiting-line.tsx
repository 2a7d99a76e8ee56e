import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight, IconCloudUp } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { useWaiting } from '#lib/waiting-writes.ts'
import { useLate } from '#ui/use-late.ts'
import classes from './waiting-mark.module.css'
import { WaitingPanel } from './waiting-panel.tsx'

/** Above every screen, while something waits: how much it is, and the way to all of it. */
export function WaitingLine() {
  const writes = useWaiting()
  const [isOpen, setIsOpen] = useState(false)
  // Stays mounted after the first opening, for the closing animation.
  const [isWanted, setIsWanted] = useState(false)
  // What is sent at once needs no line.
  const isLate = useLate(writes.length > 0)
  const stuck = writes.filter(({ state }) => state === 'refused' || state === 'conflict').length
  const words = isLate ? lineWords(writes.length - stuck, stuck) : ''
  return (
    <>
      <VisuallyHidden role="status">{words}</VisuallyHidden>
      {words && (
        <UnstyledButton
          className={classes.line ?? ''}
          onClick={() => {
            setIsWanted(true)
            setIsOpen(true)
          }}
        >
          <IconCloudUp size={16} stroke={1.5} aria-hidden />
          <span>{words}</span>
          <IconChevronRight size={16} stroke={1.5} aria-hidden />
        </UnstyledButton>
      )}
      {isWanted && <WaitingPanel isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** '1 change was not sent · 3 changes are waiting to be sent'. */
function lineWords(waiting: number, stuck: number): string {
  const parts = [
    stuck > 0 && `${counted(stuck, 'change')} ${stuck === 1 ? 'was' : 'were'} not sent`,
    waiting > 0 &&
      `${counted(waiting, 'change')} ${waiting === 1 ? 'is' : 'are'} waiting to be sent`,
  ]
  return parts.filter(Boolean).join(' · ')
}
