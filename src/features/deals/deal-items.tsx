import { Menu } from '@mantine/core'
import {
  IconChecklist,
  IconPencil,
  IconThumbDown,
  IconTrash,
  IconTrophy,
} from '@tabler/icons-react'
import { openForm } from '#features/forms/index.ts'
import { RowMenu } from '#ui/row-menu.tsx'
import type { Unfolded } from '#ui/unfolded.tsx'
import { chosenDeal } from './chosen-deal.ts'
import { useCloseDeals } from './closing/queries.ts'
import { type Deal, useDeleteDeal } from './queries.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type DealItemsProps = Unfolded & {
  deal: Deal
  onEdit: (deal: Deal) => void
  onLost: (deal: Deal) => void
}

/** What can be done with one deal, as a menu. */
export function DealItems({ deal, onEdit, onLost, ...menu }: DealItemsProps) {
  const win = useCloseDeals('won')
  const remove = useDeleteDeal()
  return (
    <RowMenu {...menu}>
      <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit(deal)}>
        Edit
      </Menu.Item>
      <Menu.Item
        leftSection={<IconChecklist {...icon} />}
        onClick={() => openForm({ form: 'task', deal: { id: deal.id, name: deal.name } })}
      >
        Add task
      </Menu.Item>
      <Menu.Divider />
      {deal.outcome !== 'won' && (
        <Menu.Item
          leftSection={<IconTrophy {...icon} />}
          // The mutation reports a failure and rolls back.
          onClick={() => win(chosenDeal(deal)).catch(() => {})}
        >
          Mark as won
        </Menu.Item>
      )}
      {deal.outcome !== 'lost' && (
        <Menu.Item leftSection={<IconThumbDown {...icon} />} onClick={() => onLost(deal)}>
          Mark as lost
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => remove(deal).catch(() => {})}>
        Delete
      </Menu.Item>
    </RowMenu>
  )
}
