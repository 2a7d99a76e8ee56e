import { ActionIcon, Button, Group, Loader, Text } from '@mantine/core'
import { IconFolder, IconPlus, IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { NameDialog } from '#features/naming/index.ts'
import { CollectionMenu } from './collection-menu.tsx'
import classes from './collections.module.css'
import { CreateCollectionDialog } from './create-collection-dialog.tsx'
import { type Collection, useCollections, useRenameCollection } from './queries.ts'

export type CollectionListProps = {
  /** The collection that the contacts are filtered by. */
  chosen: string | null
  onChoose: (id: string | null) => void
  /** Called when members changed, by a write or its undo: lists of contacts must be read again. */
  onChanged?: () => void
}

/** All contacts and each collection, to choose from, and what can be done with them. */
export function CollectionList({
  chosen,
  onChoose,
  onChanged,
  closeButton,
}: CollectionListProps & { closeButton?: ReactNode }) {
  const collections = useCollections()
  const rename = useRenameCollection()
  const [form, setForm] = useState<'create' | Collection | null>(null)
  const entry = (id: string | null) => ({
    type: 'button' as const,
    className: classes.entry,
    'aria-current': chosen === id ? ('true' as const) : undefined,
    onClick: () => onChoose(id),
  })
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>Collections</h2>
        <ActionIcon
          aria-label="Create new collection"
          title="Create new collection"
          onClick={() => setForm('create')}
        >
          <IconPlus size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
        {closeButton}
      </div>
      <ul className={classes.list}>
        <li className={classes.row}>
          <button {...entry(null)}>
            <IconUsers size={16} stroke={1.5} aria-hidden />
            <span className={classes.name}>All contacts</span>
          </button>
        </li>
        {collections.rows.map((collection) => (
          <li key={collection.id} className={classes.row}>
            <button
              {...entry(collection.id)}
              aria-label={`${collection.name}, ${counted(collection.contacts, 'contact')}`}
            >
              <IconFolder size={16} stroke={1.5} aria-hidden />
              <span className={classes.name} title={collection.name}>
                <bdi>{collection.name}</bdi>
              </span>
              <span className={classes.count}>{shownNumber(collection.contacts)}</span>
            </button>
            <CollectionMenu
              collection={collection}
              onRename={() => setForm(collection)}
              onGone={() => {
                if (chosen === collection.id) onChoose(null)
              }}
              {...(onChanged ? { onChanged } : {})}
            />
          </li>
        ))}
      </ul>
      <StateOfList {...collections} />
      {form === 'create' && <CreateCollectionDialog onClose={() => setForm(null)} />}
      {form && form !== 'create' && (
        <NameDialog
          title="Rename collection"
          submitLabel="Rename"
          kind="collection"
          name={form.name}
          taken={collections.rows.filter(({ id }) => id !== form.id).map(({ name }) => name)}
          onSave={(name) => rename({ id: form.id, name })}
          onClose={() => setForm(null)}
        />
      )}
    </>
  )
}

function StateOfList({ rows, isLoading, problem, refetch }: ReturnType<typeof useCollections>) {
  if (isLoading) {
    return (
      <Group gap="sm" className={classes.state ?? ''} role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm" c="dimmed">
          Loading collections...
        </Text>
      </Group>
    )
  }
  if (problem) {
    return (
      <div className={classes.state} role="alert">
        <Text size="sm" c="dimmed" mb="sm">
          The collections could not be loaded. {problem}
        </Text>
        <Button variant="default" onClick={() => refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (rows.length > 0) return null
  return (
    <Text size="sm" c="dimmed" className={classes.state ?? ''}>
      Group contacts you work on together. Select a few to start.
    </Text>
  )
}
