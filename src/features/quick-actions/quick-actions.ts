import {
  type Icon,
  IconBuildingPlus,
  IconChartBar,
  IconCurrencyDollar,
  IconSquareCheck,
  IconUserPlus,
} from '@tabler/icons-react'
import type { FormName } from '#features/forms/index.ts'
import type { Shortcut } from '#ui/shortcut.ts'

export type QuickAction = { text: string; icon: Icon; shortcut: Shortcut } & (
  | { form: FormName }
  | { path: string }
)

/** Five things one does most, in the order of their keys. */
export const quickActions: QuickAction[] = [
  {
    text: 'Somebody you sell to',
    icon: IconUserPlus,
    shortcut: { keys: ['1'], does: 'Add Contact' },
    form: 'contact',
  },
  {
    text: 'Where contacts work',
    icon: IconBuildingPlus,
    shortcut: { keys: ['2'], does: 'Add Company' },
    form: 'company',
  },
  {
    text: 'Something to do',
    icon: IconSquareCheck,
    shortcut: { keys: ['3'], does: 'Create Task' },
    form: 'task',
  },
  {
    text: 'A sale to win',
    icon: IconCurrencyDollar,
    shortcut: { keys: ['4'], does: 'Create Deal' },
    form: 'deal',
  },
  {
    text: 'How selling goes',
    icon: IconChartBar,
    shortcut: { keys: ['5'], does: 'View Reports' },
    path: '/app/reports',
  },
]
