import { Kbd, UnstyledButton } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { ariaKeys } from '#ui/shortcut.ts'
import classes from './quick-actions.module.css'
import { QuickActionsDrawer } from './quick-actions-host.tsx'
import { quickActionsShortcut, quickActionsSwitch } from './quick-actions-switch.ts'

type QuickActionsButtonProps = {
  /** Called before it opens, so that another drawer can close. */
  onOpen?: (() => void) | undefined
}

/** Opens the quick actions, and shows their shortcut. */
export function QuickActionsButton({ onOpen }: QuickActionsButtonProps) {
  return (
    <UnstyledButton
      className={classes.button ?? ''}
      aria-keyshortcuts={ariaKeys(quickActionsShortcut)}
      title="⌘K or Ctrl+K"
      onPointerEnter={QuickActionsDrawer.preload}
      onFocus={QuickActionsDrawer.preload}
      onClick={() => {
        onOpen?.()
        quickActionsSwitch.set(true)
      }}
    >
      <IconBolt size={18} stroke={1.5} aria-hidden />
      <span className={classes.label}>Quick Actions</span>
      <Kbd size="xs" aria-hidden>
        ⌘K
      </Kbd>
    </UnstyledButton>
  )
}
