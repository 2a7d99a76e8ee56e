import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { counted } from '#domain/counted.ts'
import classes from './timeline.module.css'

type FoldLineProps = { count: number; isOpen: boolean; onToggle: () => void }

/** '5 changes': unfolds what stands back. */
export function FoldLine({ count, isOpen, onToggle }: FoldLineProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <span className={classes.mark} aria-hidden>
        <Chevron size={14} stroke={1.5} />
      </span>
      <UnstyledButton className={classes.fold ?? ''} aria-expanded={isOpen} onClick={onToggle}>
        {counted(count, 'change')}
      </UnstyledButton>
    </>
  )
}
