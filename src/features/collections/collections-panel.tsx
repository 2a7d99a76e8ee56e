import { Box, Button, Drawer } from '@mantine/core'
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { IconFolder } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { browserStorage } from '#lib/browser-storage.ts'
import { isDialogCovered } from '#ui/has-dialog.ts'
import { CollectionList, type CollectionListProps } from './collection-list.tsx'
import classes from './collections.module.css'
import { useCollections } from './queries.ts'

const railKey = 'solo-collections-rail'

/**
 * Whether the collections stand beside the list on wide screens: not while there are none. Until they are read it is
 * as it was the last time, so that the list does not jump.
 */
function useHasRail(): boolean {
  const { rows, isLoading, problem } = useCollections()
  const [wasThere] = useState(() => browserStorage().getItem(railKey) === 'open')
  const isKnown = !isLoading && !problem
  const hasRows = rows.length > 0
  useEffect(() => {
    if (isKnown) browserStorage().setItem(railKey, hasRows ? 'open' : 'folded')
  }, [isKnown, hasRows])
  // When the last one goes, the rail stays for this visit: a dialog of it may be open, and the list must not jump.
  const [hadRows, setHadRows] = useState(false)
  if (hasRows && !hadRows) setHadRows(true)
  return isKnown ? hasRows || hadRows : wasThere || hadRows
}

/** The collections beside the list of contacts, on wide screens. */
export function CollectionsPanel(props: CollectionListProps) {
  if (!useHasRail()) return null
  return (
    <Box
      component="aside"
      visibleFrom="lg"
      className={classes.panel ?? ''}
      aria-label="Collections"
    >
      <CollectionList {...props} />
    </Box>
  )
}

/** The button that opens the collections where they do not stand beside the list. */
export function CollectionsButton({ chosen, onChoose, onChanged }: CollectionListProps) {
  const hasRail = useHasRail()
  const [isOpen, drawer] = useDisclosure(false)
  const { rows } = useCollections()
  const collection = rows.find(({ id }) => id === chosen)
  // Escape in a menu or dialog over it is meant for that one. Asked before anybody acts on the key, while both are open.
  useWindowEvent(
    'keydown',
    ({ key }) => {
      if (key === 'Escape' && isOpen && !isDialogCovered()) drawer.close()
    },
    { capture: true },
  )
  return (
    <Box {...(hasRail ? { hiddenFrom: 'lg' } : {})} miw={0}>
      <Button
        variant="default"
        className={classes.button ?? ''}
        leftSection={<IconFolder size={16} stroke={1.5} aria-hidden />}
        aria-haspopup="dialog"
        onClick={drawer.open}
      >
        {collection ? collection.name : 'Collections'}
      </Button>
      <Drawer.Root
        opened={isOpen}
        onClose={drawer.close}
        position="right"
        size={320}
        closeOnEscape={false}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label="Collections">
          <Drawer.Body p="md">
            <CollectionList
              chosen={chosen}
              onChoose={(id) => {
                drawer.close()
                onChoose(id)
              }}
              closeButton={<Drawer.CloseButton aria-label="Close" />}
              {...(onChanged ? { onChanged } : {})}
            />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </Box>
  )
}
