import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'

type MoveButtonsProps = {
  /** What is moved. */
  name: string
  index: number
  count: number
  onMove: (to: number) => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The buttons that move an entry of a list up and down. */
export function MoveButtons({ name, index, count, onMove }: MoveButtonsProps) {
  return (
    <>
      <ActionIcon
        aria-label={`Move ${name} up`}
        title="Move up"
        data-move="up"
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      >
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon
        aria-label={`Move ${name} down`}
        title="Move down"
        data-move="down"
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
      >
        <IconArrowDown {...icon} />
      </ActionIcon>
    </>
  )
}
