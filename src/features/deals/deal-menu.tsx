import { IconDots } from '@tabler/icons-react'
import { openedPart } from '#ui/lazy-part.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import type { Deal } from './queries.ts'

const DealItems = openedPart(async () => (await import('./deal-items.tsx')).DealItems)

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
      icon={<IconDots size={16} stroke={1.5} aria-hidden />}
      part={DealItems}
      onPointerEnter={onPointAtEdit}
    >
      {(menu) => <DealItems {...menu} deal={deal} onEdit={onEdit} onLost={onLost} />}
    </MenuButton>
  )
}
