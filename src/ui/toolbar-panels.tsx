import { Button, CloseButton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './list-toolbar.module.css'
import { type Place, tellRoom, type Unfolded, UnfoldedPanel } from './unfolded.tsx'

type FilterPanelProps = Unfolded & { count: number; onClear: () => void; children: ReactNode }

/** The fields of a filter; on a phone a sheet, because there may be more of them than the screen has room for. */
export function FilterPanel({ count, onClear, children, ...panel }: FilterPanelProps) {
  const isSheet = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return (
    <UnfoldedPanel
      width={300}
      trapFocus
      classNames={{ dropdown: classes.sheet ?? '' }}
      // The place beside the button stands in the style attribute.
      {...(isSheet
        ? { styles: { dropdown: atTheFoot }, hideDetached: false }
        : { middlewares: { size: { padding: 8, apply: fitRoom } } })}
      {...panel}
    >
      <div className={classes.sheetHead}>
        Filter
        <CloseButton aria-label="Close filter" onClick={panel.onClose} />
      </div>
      <Stack gap="md" data-filters>
        {children}
        <Button variant="default" disabled={count === 0} onClick={onClear}>
          Clear filters
        </Button>
      </Stack>
    </UnfoldedPanel>
  )
}

/** It scrolls only where it has to: what scrolls also cuts off the choices that a field unfolds. */
function fitRoom(place: Place): void {
  tellRoom(place)
  const { floating } = place.elements
  const filters = floating.querySelector<HTMLElement>('[data-filters]')
  const needed = filters ? filters.offsetTop * 2 + filters.offsetHeight : 0
  floating.toggleAttribute('data-tight', needed > place.availableHeight)
}

const atTheFoot = {
  position: 'fixed',
  top: 'auto',
  right: 0,
  bottom: 0,
  left: 0,
  width: 'auto',
} as const

/** The controls that a narrow toolbar has no room for. */
export function MorePanel({ children, ...panel }: Unfolded & { children: ReactNode }) {
  return (
    // Below the dialogs, which stand at 200.
    <UnfoldedPanel zIndex={150} width={280} position="bottom-end" {...panel}>
      <Stack gap="sm" className={classes.more ?? ''}>
        {children}
      </Stack>
    </UnfoldedPanel>
  )
}
