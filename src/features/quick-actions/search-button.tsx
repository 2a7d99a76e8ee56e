import { ActionIcon } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { ariaKeys } from '#ui/shortcut.ts'
import { openSearch, searchShortcut } from './quick-actions-switch.ts'

type SearchButtonProps = {
  /** Called when the user points at it. */
  onPointAt: () => void
}

/** The search icon of the top bar. */
export function SearchButton({ onPointAt }: SearchButtonProps) {
  return (
    <ActionIcon
      size="lg"
      // On a phone it is in the bar at the foot.
      visibleFrom="sm"
      aria-label="Search"
      aria-keyshortcuts={ariaKeys(searchShortcut)}
      title="Search (/)"
      onPointerEnter={onPointAt}
      onFocus={onPointAt}
      onClick={openSearch}
    >
      <IconSearch size={18} stroke={1.5} aria-hidden />
    </ActionIcon>
  )
}
