import { Kbd, UnstyledButton } from '@mantine/core'
import type { KeyboardEvent, Ref } from 'react'
import { ariaKeys } from '#ui/shortcut.ts'
import classes from './quick-actions.module.css'
import { type QuickAction, quickActions } from './quick-actions.ts'

type QuickActionsCardsProps = {
  ref: Ref<HTMLDivElement>
  /** Whether the first card has the focus at the start: a keyboard on the screen would hide the cards. */
  isFirst: boolean
  onRun: (action: QuickAction) => void
  /** The arrow keys lead past the first or the last card. */
  onLeave: (to: 'field' | 'list') => void
}

/** The five cards. */
export function QuickActionsCards(props: QuickActionsCardsProps) {
  const { ref, isFirst, onRun, onLeave } = props
  function press(event: KeyboardEvent<HTMLButtonElement>): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const isDown = event.key === 'ArrowDown'
    const { nextElementSibling, previousElementSibling } = event.currentTarget
    const next = isDown ? nextElementSibling : previousElementSibling
    if (next instanceof HTMLElement) next.focus()
    else onLeave(isDown ? 'list' : 'field')
  }
  return (
    <div ref={ref} className={classes.cards}>
      {quickActions.map((action, index) => (
        <UnstyledButton
          key={action.shortcut.does}
          className={classes.card ?? ''}
          aria-keyshortcuts={ariaKeys(action.shortcut)}
          data-autofocus={(isFirst && index === 0) || undefined}
          onClick={() => onRun(action)}
          onKeyDown={press}
        >
          <span className={classes.icon}>
            <action.icon size={18} stroke={1.5} aria-hidden />
          </span>
          <span className={classes.name}>{action.shortcut.does}</span>
          <Kbd aria-hidden className={classes.key ?? ''}>
            {action.shortcut.keys}
          </Kbd>
        </UnstyledButton>
      ))}
    </div>
  )
}
