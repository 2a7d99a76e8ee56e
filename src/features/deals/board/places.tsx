import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { RowMenu } from '#ui/row-menu.tsx'
import type { Unfolded } from '#ui/unfolded.tsx'
import type { Deal } from '../queries.ts'
import { StageDot } from './stage-dot.tsx'
import type { CardHandlers } from './use-board-drag.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type PlacesProps = Unfolded & { deal: Deal; handlers: CardHandlers }

/** The menu of places to which a card can be moved; its code is loaded when it is opened. */
export function Places({ deal, handlers, ...menu }: PlacesProps) {
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
