import { IconGripVertical } from '@tabler/icons-react'
import { openedPart } from '#ui/lazy-part.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import type { Deal } from '../queries.ts'
import type { CardHandlers } from './use-board-drag.ts'

const Places = openedPart(async () => (await import('./places.tsx')).Places)

/** The id of the instructions for moving a card by keyboard. */
export const moveHelp = 'how-to-move-a-card'

type MoveHandleProps = { deal: Deal; handlers: CardHandlers; isLifted: boolean }

/** The handle of a card: lifts it by keyboard; a click opens a menu of places, for users who cannot drag. */
export function MoveHandle({ deal, handlers, isLifted }: MoveHandleProps) {
  return (
    <MenuButton
      label={`Move ${deal.name}`}
      title="Move"
      icon={<IconGripVertical size={16} stroke={1.5} aria-hidden />}
      part={Places}
      aria-describedby={moveHelp}
      aria-pressed={isLifted}
      data-handle={deal.id}
      onKeyDown={(event) => handlers.press(event, deal)}
      onBlur={() => handlers.leave(deal)}
    >
      {(menu) => <Places {...menu} deal={deal} handlers={handlers} />}
    </MenuButton>
  )
}
