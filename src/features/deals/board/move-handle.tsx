import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { MenuButton } from '#ui/menu-button.tsx'
import { RowMenu } from '#ui/row-menu.tsx'
import type { Unfolded } from '#ui/unfolded.tsx'
import type { Deal } from '../queries.ts'
import { StageDot } from './stage-dot.tsx'
import type { CardHandlers } from './use-board-drag.ts'

/** The id of the instructions for moving a card by keyboard. */
export const moveHelp = 'how-to-move-a-card'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type MoveHandleProps = { deal: Deal; handlers: CardHandlers; isLifted: boolean }

/** The handle of a card: lifts it by keyboard; a click opens a menu of places, for users who cannot drag. */
export function MoveHandle({ deal, handlers, isLifted }: MoveHandleProps) {
  return (
    <MenuButton
      label={`Move ${deal.name}`}
      title="Move"
      icon={<IconGripVertical {...icon} />}
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

type PlacesProps = Unfolded & Omit<MoveHandleProps, 'isLifted'>

function Places({ deal, handlers, ...menu }: PlacesProps) {
  const { around, stages } = handlers.targetsOf(deal)
  return (
    <RowMenu {...menu}>
      {around.map(({ label, place }) => (
        <Menu.Item
          key={label}
          leftSection={
            label === 'Move up' ? <IconArrowUp {...icon} /> : <IconArrowDown {...icon} />
          }
          onClick={() => handlers.put(deal, place)}
        >
          {label}
        </Menu.Item>
      ))}
      {around.length > 0 && stages.length > 0 && <Menu.Divider />}
      {stages.length > 0 && <Menu.Label>Move to</Menu.Label>}
      {stages.map(({ label, stage_name, place }) => (
        <Menu.Item
          key={place.column}
          leftSection={<StageDot stage={stage_name} />}
          onClick={() => handlers.put(deal, place)}
        >
          {label}
        </Menu.Item>
      ))}
    </RowMenu>
  )
}
