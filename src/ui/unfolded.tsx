import { Menu, type MenuProps, Popover, type PopoverProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './unfolding.module.css'

/** What everything has that a button unfolds. */
export type Unfolded = {
  /** The name of the button. */
  label: string
  onClose: () => void
}

type UnfoldedMenuProps = Unfolded &
  Omit<MenuProps, 'opened' | 'onClose' | 'onChange'> & { children: ReactNode }

/** The menu of an `Unfolding`, open as long as it is mounted. */
export function UnfoldedMenu({ label, onClose, children, ...look }: UnfoldedMenuProps) {
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      shadow="md"
      withinPortal={false}
      // ARIA allows only items in a menu.
      withInitialFocusPlaceholder={false}
      middlewares={{ size: { padding: 8, apply: tellRoom } }}
      {...look}
    >
      <Menu.Target>{anchor(label)}</Menu.Target>
      {/* There may be more than the screen has room for. */}
      <Menu.Dropdown
        mah="min(480px, 60dvh, var(--solo-room, 100dvh))"
        style={{ overflowY: 'auto' }}
      >
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}

type UnfoldedPanelProps = Unfolded &
  Omit<PopoverProps, 'opened' | 'onClose' | 'onChange'> & { children: ReactNode }

/** The panel of an `Unfolding`, open as long as it is mounted. */
export function UnfoldedPanel({ label, onClose, children, ...look }: UnfoldedPanelProps) {
  return (
    <Popover
      opened
      // `onClose` is called once it is closed, which only the owner does.
      onChange={onClose}
      position="bottom-start"
      shadow="md"
      // In a portal at the end of the page it would scroll the page down with the focus.
      withinPortal={false}
      {...look}
    >
      <Popover.Target>{anchor(label)}</Popover.Target>
      <Popover.Dropdown>{children}</Popover.Dropdown>
    </Popover>
  )
}

export type Place = { availableHeight: number; elements: { floating: HTMLElement } }

/** How much room there is between the button and the edge of the screen, as `--solo-room`. */
export function tellRoom({ availableHeight, elements }: Place): void {
  elements.floating.style.setProperty('--solo-room', `${Math.floor(availableHeight)}px`)
}

function anchor(label: string) {
  return (
    <button
      type="button"
      className={classes.anchor}
      tabIndex={-1}
      aria-hidden
      // The name of what it unfolds.
      aria-label={label}
    />
  )
}
