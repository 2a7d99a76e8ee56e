import { ActionIcon, Menu } from '@mantine/core'
import { type KeyboardEventHandler, type ReactNode, useRef, useState } from 'react'
import classes from './menu-button.module.css'

type MenuButtonProps = {
  label: string
  title: string
  icon: ReactNode
  /** The items, rendered only while the menu is open. */
  children: ReactNode
  onPointerEnter?: (() => void) | undefined
  onKeyDown?: KeyboardEventHandler
  onBlur?: () => void
  'aria-describedby'?: string
  'aria-pressed'?: boolean
  'data-handle'?: string
}

/**
 * A button whose menu is mounted on the first opening: a long list mounts dozens of buttons while scrolling, and a
 * closed Mantine menu costs more than the rest of a row.
 */
export function MenuButton({ label, title, icon, children, ...button }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const element = useRef<HTMLButtonElement>(null)
  // The menu closes on a press outside, which includes this button; the click must not open it again.
  const stay = isOpen
    ? (event: { stopPropagation: () => void }) => event.stopPropagation()
    : undefined
  function close() {
    setIsOpen(false)
    element.current?.focus()
  }
  return (
    <div className={classes.place}>
      <ActionIcon
        ref={element}
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onMouseDown={stay}
        onTouchStart={stay}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
        {...button}
      >
        {icon}
      </ActionIcon>
      {isOpen && (
        <Menu
          opened
          onClose={close}
          position="bottom-end"
          shadow="md"
          width={200}
          // Inside the main landmark, but outside of the scrolling element.
          portalProps={{ target: '#main' }}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <button
              type="button"
              className={classes.anchor}
              tabIndex={-1}
              aria-hidden
              aria-label={label}
            />
          </Menu.Target>
          <Menu.Dropdown className={classes.items ?? ''}>{children}</Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
