import { useState } from 'react'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { CollectionChoice } from './collection-choice.tsx'
import { CreateCollectionDialog } from './create-collection-dialog.tsx'
import { useAddToCollection, useCollections } from './queries.ts'

type AddToCollectionMenuProps = {
  filter: ContactFilter
  count: number
  /** Called when members changed, by the write or its undo: lists of contacts must be read again. */
  onDone?: () => void
}

/** 'Add to collection': one that is there, or a new one. */
export function AddToCollectionMenu({ filter, count, onDone }: AddToCollectionMenuProps) {
  const { rows, isLoading, problem } = useCollections()
  const add = useAddToCollection(onDone)
  const [newName, setNewName] = useState<string | null>(null)
  return (
    <>
      <CollectionChoice
        collections={rows}
        isLoading={isLoading}
        hasFailed={problem !== null}
        // The mutation reports a failure and rolls back.
        onChoose={(collection) => add({ collection, filter, count }).catch(() => {})}
        onCreate={setNewName}
      />
      {newName !== null && (
        <CreateCollectionDialog
          filter={filter}
          count={count}
          name={newName}
          onClose={() => setNewName(null)}
          {...(onDone ? { onDone } : {})}
        />
      )}
    </>
  )
}
