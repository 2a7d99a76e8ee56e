import type { ContactFilter } from '#domain/contact-filter.ts'
import { counted } from '#domain/counted.ts'
import { NameDialog } from '#features/naming/index.ts'
import { useCollections, useCreateCollection } from './queries.ts'

type CreateCollectionDialogProps = {
  /** The contacts that go into it; none for an empty one. */
  filter?: ContactFilter
  count?: number
  /** What the name begins as. */
  name?: string
  onClose: () => void
  /** Called when members changed, by the write or its undo: lists of contacts must be read again. */
  onDone?: () => void
}

const nobody: ContactFilter = { ids: [] }

export function CreateCollectionDialog({
  filter = nobody,
  count = 0,
  name = '',
  onClose,
  onDone,
}: CreateCollectionDialogProps) {
  const collections = useCollections()
  const create = useCreateCollection(onDone)
  return (
    <NameDialog
      title="Create new collection"
      {...(count > 0 ? { hint: `With ${counted(count, 'contact')}.` } : {})}
      submitLabel="Create"
      kind="collection"
      name={name}
      taken={collections.rows.map((collection) => collection.name)}
      onSave={(chosen) => create({ name: chosen, filter, count })}
      onClose={onClose}
    />
  )
}
