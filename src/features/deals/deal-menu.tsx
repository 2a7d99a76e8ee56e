import { Menu } from '@mantine/core'
import {
  IconChecklist,
  IconDots,
  IconPencil,
  IconThumbDown,
  IconTrash,
  IconTrophy,
} from '@tabler/icons-react'
import { openForm } from '#features/forms/index.ts'
import { MenuButton } from '#ui/menu-button.tsx'
import { type Deal, useCloseDeals, useDeleteDeal } from './queries.ts'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

type DealMenuProps = {
  deal: Deal
  onEdit: (deal: Deal) => void
  onPointAtEdit?: () => void
  /** Opens the question for the reason. The page holds it, because this row may unmount meanwhile. */
  onLost: (deal: Deal) => void
}

/** What can be done with one deal. */
export function DealMenu({ deal, onEdit, onPointAtEdit, onLost }: DealMenuProps) {
  return (
    <MenuButton
      label={`More for ${deal.name}`}
      title="More"
      icon={<IconDots {...icon} />}
      onPointerEnter={onPointAtEdit}
    >
      <DealItems deal={deal} onEdit={onEdit} onLost={onLost} />
    </MenuButton>
  )
}

type DealItemsProps = Omit<DealMenuProps, 'onPointAtEdit'>

function DealItems({ deal, onEdit, onLost }: DealItemsProps) {
  const win = useCloseDeals('won')
  const remove = useDeleteDeal()
  return (
    <>
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
    </>
  )
}

/** One deal in the form of a bulk write. */
export function chosenDeal({ id }: { id: string }) {
  return { filter: { ids: [id] }, count: 1, matches: (other: Deal) => other.id === id }
}
