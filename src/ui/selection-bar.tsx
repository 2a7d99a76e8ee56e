import { Button, type ButtonProps, CloseButton } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './selection-bar.module.css'

type SelectionBarProps = {
  /** How many are selected, as it is shown. */
  count: string
  /** How many rows match, where more match than are selected. */
  matching: string | null
  onSelectAll: () => void
  onClear: () => void
  /** The actions. */
  children: ReactNode
}

/** The bar below a list while rows are selected. */
export function SelectionBar({
  count,
  matching,
  onSelectAll,
  onClear,
  children,
}: SelectionBarProps) {
  return (
    <section className={classes.bar} aria-label="Selection" data-foot-bar>
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
      <div className={classes.actions}>{children}</div>
    </section>
  )
}

type SelectionActionProps = {
  icon: Icon
  isDangerous?: boolean
  'data-removes-selection'?: boolean
} & ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>

/** A button of the selection bar. */
export function SelectionAction({
  icon: Picture,
  isDangerous = false,
  ...button
}: SelectionActionProps) {
  return (
    <Button
      // Mantine sets `className` on the target of a menu, so use `classNames`.
      classNames={{ root: classes.action ?? '' }}
      variant="subtle"
      px={6}
      color={isDangerous ? 'red' : 'gray'}
      {...(isDangerous ? {} : { c: 'var(--solo-text)' })}
      leftSection={<Picture size={16} stroke={1.5} aria-hidden />}
      {...button}
    />
  )
}
