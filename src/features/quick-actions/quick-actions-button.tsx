import { Kbd, UnstyledButton } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { ariaKeys, keyCaps } from '#ui/shortcut.ts'
import classes from './quick-actions.module.css'
import { openQuickActions, quickActionsShortcut } from './quick-actions-switch.ts'

type QuickActionsButtonProps = {
  /** Called before it opens, so that another drawer can close. */
  onOpen?: (() => void) | undefined
  /** Called when the user points at it. */
  onPointAt: () => void
}

/** Opens the quick actions, and shows their shortcut. */
export function QuickActionsButton({ onOpen, onPointAt }: QuickActionsButtonProps) {
  return (
    <UnstyledButton
      className={classes.button ?? ''}
      aria-keyshortcuts={ariaKeys(quickActionsShortcut)}
      onPointerEnter={onPointAt}
      onFocus={onPointAt}
      onClick={() => {
        onOpen?.()
        openQuickActions()
      }}
    >
      <IconBolt size={18} stroke={1.5} aria-hidden />
      <span className={classes.label}>Quick Actions</span>
      <Kbd size="xs" aria-hidden className={classes.key ?? ''}>
        {keyHint('Mod+K')}
      </Kbd>
    </UnstyledButton>
  )
}

/** '⌘K' on a Mac, 'Ctrl K' elsewhere. */
function keyHint(key: string): string {
  const caps = keyCaps(key)
  return caps.join(caps[0] === '⌘' ? '' : ' ')
}
