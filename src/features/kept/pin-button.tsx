import { ActionIcon } from '@mantine/core'
import { IconPin, IconPinFilled } from '@tabler/icons-react'
import { ariaKeys, useShortcut } from '#ui/shortcut.ts'
import { keepShortcuts } from './keep-shortcuts.ts'
import { type KeptRecord, useKept, usePin } from './queries.ts'

type PinButtonProps = {
  /** 'contact', for its name. */
  what: string
  record: Pick<KeptRecord, 'kind' | 'id' | 'title' | 'about'>
  isGone: boolean
}

/** Pins the record, so that it stands in the sidebar and the search; by key too. */
export function PinButton({ what, record, isGone }: PinButtonProps) {
  const { data } = useKept({ asks: false })
  const { mutate } = usePin()
  const isPinned = data?.pinned.some(({ id }) => id === record.id) ?? false
  const isReady = data !== undefined && !isGone
  const toggle = () => {
    if (isReady) mutate({ record, isPinned: !isPinned })
  }
  useShortcut(keepShortcuts.pin, toggle)
  const label = `${isPinned ? 'Unpin' : 'Pin'} ${what}`
  const PinIcon = isPinned ? IconPinFilled : IconPin
  return (
    <ActionIcon
      aria-label={label}
      aria-keyshortcuts={ariaKeys(keepShortcuts.pin)}
      title={`${label} (P)`}
      disabled={!isReady}
      onClick={toggle}
    >
      <PinIcon size={16} stroke={1.5} aria-hidden />
    </ActionIcon>
  )
}
