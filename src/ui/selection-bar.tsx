import { ActionIcon, Button, type ButtonProps, CloseButton, Menu } from '@mantine/core'
import { type Icon, IconDots } from '@tabler/icons-react'
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react'
import classes from './selection-bar.module.css'

type SelectionBarProps = {
  /** How many are selected, as it is shown. */
  count: string
  /** How many rows match, where more match than are selected. */
  matching: string | null
  onSelectAll: () => void
  onClear: () => void
  children: ReactNode
}

/** The bar below a list while rows are selected. On the phone it is one row: all but the commonest actions are behind 'More'. */
export function SelectionBar({
  count,
  matching,
  onSelectAll,
  onClear,
  children,
}: SelectionBarProps) {
  const [isOpen, setIsOpen] = useState(false)
  const actions = useId()
  return (
    <section
      className={classes.bar}
      aria-label="Selection"
      data-foot-bar
      data-open={isOpen || undefined}
    >
      <div className={classes.about}>
        <span role="status" className={classes.count}>
          {count} selected
        </span>
        {matching !== null && (
          <Button variant="subtle" onClick={onSelectAll}>
            Select all {matching} that match
          </Button>
        )}
        <CloseButton aria-label="Clear selection" title="Clear selection" onClick={onClear} />
      </div>
      <div className={classes.actions} id={actions}>
        {children}
      </div>
      <ActionIcon
        className={classes.more ?? ''}
        size={44}
        aria-label="More actions"
        title="More"
        aria-expanded={isOpen}
        aria-controls={actions}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconDots size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </section>
  )
}

type SelectionActionProps = {
  icon: Icon
  isDangerous?: boolean
  /** Has a place in the one row of the phone; two or three of a bar do. */
  isCommon?: boolean
  'data-removes-selection'?: boolean
} & ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>

/** A button of the selection bar. */
export function SelectionAction({
  icon: Picture,
  isDangerous = false,
  isCommon = false,
  ...button
}: SelectionActionProps) {
  return (
    <Button
      // Mantine sets `className` on the target of a menu, so use `classNames`.
      classNames={{ root: classes.action ?? '', label: classes.label ?? '' }}
      data-common={isCommon || undefined}
      variant="subtle"
      px={6}
      color={isDangerous ? 'red' : 'gray'}
      {...(isDangerous ? {} : { c: 'var(--solo-text)' })}
      leftSection={<Picture size={16} stroke={1.5} aria-hidden />}
      {...button}
    />
  )
}

type SelectionMenuProps = {
  /** The button that opens it: a `SelectionAction`. */
  button: ReactNode
  children: ReactNode
}

/** A menu of the selection bar. */
export function SelectionMenu({ button, children }: SelectionMenuProps) {
  return (
    <Menu position="top-start" shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
