import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconEraser, IconPencil, IconTrash } from '@tabler/icons-react'
import { confirmAction } from '#ui/confirm.tsx'
import classes from './collections.module.css'
import { type Collection, useDeleteCollection, useRemoveFromCollection } from './queries.ts'
import { staysWords } from './words.ts'

type CollectionMenuProps = {
  collection: Collection
  onRename: () => void
  onGone: () => void
  onChanged?: () => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What can be done with a collection. */
export function CollectionMenu({ collection, onRename, onGone, onChanged }: CollectionMenuProps) {
  const { id, name, contacts } = collection
  const remove = useDeleteCollection(onChanged)
  const takeOut = useRemoveFromCollection(onChanged)

  async function askAndDelete(): Promise<void> {
    const goAhead = await confirmAction({
      title: `Delete ${name}?`,
      body: staysWords(contacts),
      confirm: 'Delete',
      isDangerous: true,
    })
    if (!goAhead) return
    await remove(collection)
    onGone()
  }

  // The mutation reports a failure and rolls back.
  const quietly = (action: () => Promise<unknown>) => () => void action().catch(() => {})
  return (
    <Menu
      position="bottom-end"
      width={208}
      shadow="md"
      withInitialFocusPlaceholder={false}
      withinPortal={false}
      // The scrolling panel would clip the menu.
      floatingStrategy="fixed"
    >
      <Menu.Target>
        <ActionIcon className={classes.more ?? ''} aria-label={`Actions for ${name}`}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item
          leftSection={<IconEraser {...icon} />}
          disabled={contacts === 0}
          onClick={quietly(() =>
            takeOut({ collection, filter: { collection: id }, count: contacts }),
          )}
        >
          Remove all contacts
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash {...icon} />} onClick={quietly(askAndDelete)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
