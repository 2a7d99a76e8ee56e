import { IconDots } from '@tabler/icons-react'
import { openedPart } from '#ui/lazy-part.tsx'
import { MenuButton } from '#ui/menu-button.tsx'
import classes from './collections.module.css'
import type { Collection } from './queries.ts'

const CollectionItems = openedPart(
  async () => (await import('./collection-items.tsx')).CollectionItems,
)

type CollectionMenuProps = {
  collection: Collection
  onRename: () => void
  onGone: () => void
  onChanged?: () => void
}

/** What can be done with a collection. */
export function CollectionMenu(props: CollectionMenuProps) {
  return (
    <div className={classes.more}>
      <MenuButton
        label={`Actions for ${props.collection.name}`}
        title="Actions"
        icon={<IconDots size={16} stroke={1.5} aria-hidden />}
        part={CollectionItems}
      >
        {(menu) => <CollectionItems {...menu} {...props} />}
      </MenuButton>
    </div>
  )
}
