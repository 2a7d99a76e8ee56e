import { Drawer } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { isDialogCovered } from '#ui/has-dialog.ts'
import { CollectionList, type CollectionListProps } from './collection-list.tsx'

type CollectionsDrawerProps = CollectionListProps & { onClose: () => void }

/** The collections over the page, where they do not stand beside the list. */
export function CollectionsDrawer({ onChoose, onClose, ...list }: CollectionsDrawerProps) {
  // Escape belongs to a menu or dialog above the drawer. Captured, because that one may be closed when the event bubbles.
  useWindowEvent(
    'keydown',
    ({ key }) => {
      if (key === 'Escape' && !isDialogCovered()) onClose()
    },
    { capture: true },
  )
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={320} closeOnEscape={false}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Collections">
        <Drawer.Body p="md">
          <CollectionList
            onChoose={(id) => {
              onClose()
              onChoose(id)
            }}
            closeButton={<Drawer.CloseButton aria-label="Close" />}
            {...list}
          />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
