import {
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconCurrencyDollar,
  IconLayoutDashboard,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'

const loadPlainScreen = () => import('./plain-screen.tsx')

/**
 * The screens of the workspace, in the order of the sidebar. `load` brings a screen's code when it is
 * first opened, or already when the user points at it.
 */
export const screens = [
  {
    path: 'dashboard',
    name: 'Dashboard',
    icon: IconLayoutDashboard,
    line: 'Your day at a glance will be here.',
    load: loadPlainScreen,
  },
  {
    path: 'contacts',
    name: 'Contacts',
    icon: IconUsers,
    line: 'Manage your contacts and leads',
    load: loadPlainScreen,
  },
  {
    path: 'companies',
    name: 'Companies',
    icon: IconBuilding,
    line: 'Manage your company relationships',
    load: loadPlainScreen,
  },
  {
    path: 'deals',
    name: 'Deals',
    icon: IconCurrencyDollar,
    line: 'Track your sales pipeline and opportunities',
    load: loadPlainScreen,
  },
  {
    path: 'reports',
    name: 'Reports',
    icon: IconChartBar,
    line: 'What you have sold, and what is to come, will be here.',
    load: loadPlainScreen,
  },
  {
    path: 'tasks',
    name: 'Tasks',
    icon: IconChecklist,
    line: 'Stay organized and track your progress',
    load: loadPlainScreen,
  },
  {
    path: 'settings',
    name: 'Settings',
    icon: IconSettings,
    line: 'Your profile, your data and your account will be here.',
    load: loadPlainScreen,
  },
] as const

export type Screen = (typeof screens)[number]
