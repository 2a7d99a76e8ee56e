import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'

type MoreFieldsProps = {
  /** Whether one of them holds something: then they are open from the start. */
  isFilled: boolean
  /** Whether something is wrong in one of them, which must not be hidden. */
  isWrong: boolean
  children: ReactNode
}

/** The fields of a form that few people fill in. */
export function MoreFields({ isFilled, isWrong, children }: MoreFieldsProps) {
  const [isOpen, setIsOpen] = useState(isFilled)
  if (isWrong && !isOpen) setIsOpen(true)
  const id = useId()
  const Sign = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        px={8}
        ml={-8}
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Sign size={16} stroke={1.5} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        More fields
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  )
}
