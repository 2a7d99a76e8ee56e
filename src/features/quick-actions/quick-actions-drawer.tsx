import { Drawer, Kbd, Text, UnstyledButton } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { openForm, useOpenForm } from '#features/forms/index.ts'
import { ariaKeys, isPressed } from '#ui/shortcut.ts'
import { useFocusBack } from '#ui/use-focus-back.ts'
import classes from './quick-actions.module.css'
import { type QuickAction, quickActions } from './quick-actions.ts'

type QuickActionsDrawerProps = { isOpen: boolean; onClose: () => void }

/** Five things one does most, each with a key of its own. */
export function QuickActionsDrawer({ isOpen, onClose }: QuickActionsDrawerProps) {
  const navigate = useNavigate()
  const { request } = useOpenForm()
  const isCovered = request !== null

  function run(action: QuickAction): void {
    if ('form' in action) {
      openForm({ form: action.form, onSaved: onClose })
    } else {
      onClose()
      navigate(action.path)
    }
  }
  function press(event: KeyboardEvent): void {
    const action = quickActions.find(({ shortcut }) => isPressed(event, shortcut))
    if (!action || isCovered) return
    event.preventDefault()
    run(action)
  }
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title="Quick Actions"
      position="right"
      size={360}
      // Not while a form is open over it.
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      // Mantine would return the focus to the form that was open over it.
      returnFocus={false}
      onKeyDown={press}
    >
      <Cards onRun={run} />
    </Drawer>
  )
}

function Cards({ onRun }: { onRun: (action: QuickAction) => void }) {
  useFocusBack()
  return (
    <div className={classes.cards}>
      {quickActions.map((action, index) => (
        <UnstyledButton
          key={action.shortcut.does}
          className={classes.card ?? ''}
          aria-keyshortcuts={ariaKeys(action.shortcut)}
          data-autofocus={index === 0 || undefined}
          onClick={() => onRun(action)}
        >
          <span className={classes.icon}>
            <action.icon size={20} stroke={1.5} aria-hidden />
          </span>
          <span className={classes.texts}>
            <span className={classes.name}>{action.shortcut.does}</span>
            <Text component="span" size="sm" c="dimmed">
              {action.text}
            </Text>
          </span>
          <Kbd aria-hidden>{action.shortcut.keys}</Kbd>
        </UnstyledButton>
      ))}
    </div>
  )
}
