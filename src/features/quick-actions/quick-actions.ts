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

export type QuickAction = { icon: Icon; shortcut: Shortcut } & (
  | { form: FormName }
  | { path: string }
)

/** Five things one does most, in the order of their keys. */
export const quickActions: QuickAction[] = [
  {
    icon: IconUserPlus,
    shortcut: { keys: ['1'], does: 'Add Contact' },
    form: 'contact',
  },
  {
    icon: IconBuildingPlus,
    shortcut: { keys: ['2'], does: 'Add Company' },
    form: 'company',
  },
  {
    icon: IconSquareCheck,
    shortcut: { keys: ['3'], does: 'Create Task' },
    form: 'task',
  },
  {
    icon: IconCurrencyDollar,
    shortcut: { keys: ['4'], does: 'Create Deal' },
    form: 'deal',
  },
  {
    icon: IconChartBar,
    shortcut: { keys: ['5'], does: 'View Reports' },
    path: '/app/reports',
  },
]
