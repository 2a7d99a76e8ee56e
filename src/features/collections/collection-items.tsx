import { Menu } from '@mantine/core'
import { IconEraser, IconPencil, IconTrash } from '@tabler/icons-react'
import { confirmAction } from '#ui/confirm.tsx'
import { type Unfolded, UnfoldedMenu } from '#ui/unfolded.tsx'
import { type Collection, useDeleteCollection, useRemoveFromCollection } from './queries.ts'
import { staysWords } from './words.ts'

type CollectionItemsProps = Unfolded & {
  collection: Collection
  onRename: () => void
  onGone: () => void
  onChanged?: () => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** What can be done with a collection, as a menu. */
export function CollectionItems(props: CollectionItemsProps) {
  const { collection, onRename, onGone, onChanged, ...menu } = props
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
    <UnfoldedMenu
      position="bottom-end"
      width={208}
      // The scrolling panel would clip the menu.
      floatingStrategy="fixed"
      {...menu}
    >
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
    </UnfoldedMenu>
  )
}
