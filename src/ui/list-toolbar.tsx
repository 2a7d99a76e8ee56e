import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDots, IconFilter, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { openedPart } from './lazy-part.tsx'
import classes from './list-toolbar.module.css'
import { SearchField } from './search-field.tsx'
import { Unfolding } from './unfolding.tsx'

/** An active filter as a chip that removes it. */
export type FilterChip = { key: string; label: string; value: string; onRemove: () => void }

type ListToolbarProps = {
  placeholder: string
  search: string
  onSearch: (text: string) => void
  chips: FilterChip[]
  /** Takes search and filters away. A filter that is remembered may hide what was just added. */
  onShowAll?: () => void
  /** '12 contacts'; undefined where the total is shown elsewhere. */
  total?: string | undefined
  /** The filter, which has its place on the phone too. */
  children: ReactNode
  /** Further controls: on the phone behind one button. */
  more?: ReactNode
}

/** Search, controls, active filters and total of a list. */
export function ListToolbar({
  placeholder,
  search,
  onSearch,
  chips,
  onShowAll,
  total,
  children,
  more,
}: ListToolbarProps) {
  const isFolded = useIsFolded()
  return (
    <>
      <div className={classes.bar}>
        <SearchField
          className={classes.search ?? ''}
          placeholder={placeholder}
          value={search}
          onSearch={onSearch}
        />
        {children}
        {isFolded && more ? <MorePopover>{more}</MorePopover> : more}
        <span className={classes.total} role="status">
          {total}
        </span>
      </div>
      <FilterChips chips={chips} onShowAll={onShowAll} />
    </>
  )
}

const openDialog = '[aria-modal=true]'

/**
 * Whether there is no room for all controls. While a dialog is open nothing changes: one that was opened from a control
 * would go with it, and what was typed in it.
 */
function useIsFolded(): boolean {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [isFolded, setIsFolded] = useState(isNarrow)
  useEffect(() => {
    if (isFolded === isNarrow) return
    const follow = () => {
      if (document.querySelector(openDialog) === null) setIsFolded(isNarrow)
    }
    follow()
    const observer = new MutationObserver(follow)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [isFolded, isNarrow])
  return isFolded
}

const MorePanel = openedPart(async () => (await import('./toolbar-panels.tsx')).MorePanel)

/** The controls of a toolbar that has no room for them. */
function MorePopover({ children }: { children: ReactNode }) {
  return (
    <Unfolding
      popup="dialog"
      parts={[MorePanel]}
      button={(button) => (
        <ActionIcon variant="default" size={44} aria-label="More options" title="More" {...button}>
          <IconDots size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      )}
    >
      {(close) => (
        <MorePanel
          label="More options"
          // A dialog that was opened from here goes with the panel: it stays open until the dialog is closed.
          onClose={() => {
            if (document.querySelector(openDialog) === null) close()
          }}
        >
          {children}
        </MorePanel>
      )}
    </Unfolding>
  )
}

type FilterChipsProps = { chips: FilterChip[]; onShowAll?: (() => void) | undefined }

/** A chip for each active filter, which removes it. */
export function FilterChips({ chips, onShowAll }: FilterChipsProps) {
  if (chips.length === 0) return null
  return (
    <div className={classes.chips}>
      {onShowAll && <span className={classes.filtered}>Filtered</span>}
      {chips.map(({ key, label, value, onRemove }) => (
        <span key={key} className={classes.chip}>
          <span>
            <span>{label}</span> <bdi>{value}</bdi>
          </span>
          <ActionIcon
            size="calc(var(--solo-control-height) - 10px)"
            aria-label={`Remove filter ${label} ${value}`}
            onClick={onRemove}
          >
            <IconX size={14} stroke={1.5} aria-hidden />
          </ActionIcon>
        </span>
      ))}
      {onShowAll && (
        <Button variant="subtle" size="compact-xs" onClick={onShowAll}>
          Show all
        </Button>
      )}
    </div>
  )
}

type FilterPopoverProps = {
  count: number
  onClear: () => void
  /** Where the code of the fields is loaded when it is needed: fetched when the user points at the button. */
  part?: { preload: () => Promise<boolean> }
  children: ReactNode
}

const FilterPanel = openedPart(async () => (await import('./toolbar-panels.tsx')).FilterPanel)

/** The button 'Filter' and its fields. */
export function FilterPopover({ count, onClear, part, children }: FilterPopoverProps) {
  const label = count > 0 ? `Filter (${count})` : 'Filter'
  return (
    <Unfolding
      popup="dialog"
      parts={part ? [FilterPanel, part] : [FilterPanel]}
      button={(button) => (
        <Button
          variant="default"
          leftSection={<IconFilter size={16} stroke={1.5} aria-hidden />}
          {...button}
        >
          {label}
        </Button>
      )}
    >
      {(onClose) => (
        <FilterPanel label={label} count={count} onClear={onClear} onClose={onClose}>
          {children}
        </FilterPanel>
      )}
    </Unfolding>
  )
}
