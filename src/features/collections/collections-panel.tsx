import { Box, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFolder } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { browserStorage } from '#lib/browser-storage.ts'
import { openedPart, opens } from '#ui/lazy-part.tsx'
import { CollectionList, type CollectionListProps } from './collection-list.tsx'
import classes from './collections.module.css'
import { useCollections } from './queries.ts'

const CollectionsDrawer = openedPart(
  async () => (await import('./collections-drawer.tsx')).CollectionsDrawer,
)

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
  return (
    <Box {...(hasRail ? { hiddenFrom: 'lg' } : {})} miw={0}>
      <Button
        variant="default"
        className={classes.button ?? ''}
        leftSection={<IconFolder size={16} stroke={1.5} aria-hidden />}
        aria-haspopup="dialog"
        {...opens(CollectionsDrawer, drawer.open)}
      >
        {collection ? collection.name : 'Collections'}
      </Button>
      {isOpen && (
        <CollectionsDrawer
          chosen={chosen}
          onChoose={onChoose}
          {...(onChanged ? { onChanged } : {})}
          onClose={drawer.close}
        />
      )}
    </Box>
  )
}
