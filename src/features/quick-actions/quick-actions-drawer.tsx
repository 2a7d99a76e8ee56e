import { Drawer, Kbd, Text, UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconBuildingPlus,
  IconChartBar,
  IconCurrencyDollar,
  IconSquareCheck,
  IconUserPlus,
} from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { type FormName, openForm, useOpenForm } from '#features/forms/index.ts'
import classes from './quick-actions.module.css'

type QuickAction = { name: string; text: string; icon: Icon } & (
  | { form: FormName }
  | { path: string }
)

/** In the order of their keys, from 1. */
const actions: QuickAction[] = [
  { name: 'Add Contact', text: 'Somebody you sell to', icon: IconUserPlus, form: 'contact' },
  { name: 'Add Company', text: 'Where contacts work', icon: IconBuildingPlus, form: 'company' },
  { name: 'Create Task', text: 'Something to do', icon: IconSquareCheck, form: 'task' },
  { name: 'Create Deal', text: 'A sale to win', icon: IconCurrencyDollar, form: 'deal' },
  { name: 'View Reports', text: 'How selling goes', icon: IconChartBar, path: '/app/reports' },
]

type QuickActionsDrawerProps = { isOpen: boolean; onClose: () => void }

/** Five things one does most, each with a key of its own. */
export function QuickActionsDrawer({ isOpen, onClose }: QuickActionsDrawerProps) {
  const navigate = useNavigate()
  const { request } = useOpenForm()
  // Opened after it came: only then does it note where the focus was, to give it back.
  const [isHere, setIsHere] = useState(false)
  useEffect(() => setIsHere(true), [])
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
    const action = actions[Number(event.key) - 1]
    if (!action || isCovered || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run(action)
  }
  return (
    <Drawer
      opened={isHere && isOpen}
      onClose={onClose}
      title="Quick Actions"
      position="right"
      size={360}
      // The form that stands over it has the keyboard for itself.
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      onKeyDown={press}
    >
      <div className={classes.cards}>
        {actions.map((action, index) => (
          <UnstyledButton
            key={action.name}
            className={classes.card ?? ''}
            aria-keyshortcuts={String(index + 1)}
            data-autofocus={index === 0 || undefined}
            onClick={() => run(action)}
          >
            <span className={classes.icon}>
              <action.icon size={20} stroke={1.5} aria-hidden />
            </span>
            <span className={classes.texts}>
              <span className={classes.name}>{action.name}</span>
              <Text component="span" size="sm" c="dimmed">
                {action.text}
              </Text>
            </span>
            <Kbd aria-hidden>{index + 1}</Kbd>
          </UnstyledButton>
        ))}
      </div>
    </Drawer>
  )
}
