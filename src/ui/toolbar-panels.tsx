import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './list-toolbar.module.css'
import { type Unfolded, UnfoldedPanel } from './unfolded.tsx'

type FilterPanelProps = Unfolded & { count: number; onClear: () => void; children: ReactNode }

/** The fields of a filter. */
export function FilterPanel({ count, onClear, children, ...panel }: FilterPanelProps) {
  return (
    <UnfoldedPanel width={300} trapFocus {...panel}>
      <Stack gap="md">
        {children}
        <Button variant="default" disabled={count === 0} onClick={onClear}>
          Clear filters
        </Button>
      </Stack>
    </UnfoldedPanel>
  )
}

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
