import { IconFolderMinus } from '@tabler/icons-react'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { SelectionAction } from '#ui/selection-bar.tsx'
import { useCollections, useRemoveFromCollection } from './queries.ts'

type RemoveFromCollectionButtonProps = {
  /** The collection that the list is filtered by. */
  collectionId: string
  filter: ContactFilter
  count: number
  /** Called when members changed, by the write or its undo: lists of contacts must be read again. */
  onDone?: () => void
}

/** Takes the chosen contacts out of the collection; the contacts themselves stay. */
export function RemoveFromCollectionButton({
  collectionId,
  filter,
  count,
  onDone,
}: RemoveFromCollectionButtonProps) {
  const { rows } = useCollections()
  const remove = useRemoveFromCollection(onDone)
  const collection = rows.find(({ id }) => id === collectionId)
  if (!collection) return null
  return (
    <SelectionAction
      icon={IconFolderMinus}
      onClick={() => {
        // The mutation reports a failure and rolls back.
        remove({ collection, filter, count }).catch(() => {})
      }}
    >
      Remove from collection
    </SelectionAction>
  )
}
