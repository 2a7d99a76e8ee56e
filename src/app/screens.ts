import {
  type Icon,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconCurrencyDollar,
  IconLayoutDashboard,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { loadBackupPage } from '#features/backup/index.ts'
import { loadCompaniesPage } from '#features/companies/index.ts'
import { loadOutboxPage } from '#features/compose/index.ts'
import { loadConnectionsPage, loadInterfacePage } from '#features/connections/index.ts'
import { loadContactsPage } from '#features/contacts/index.ts'
import { loadDashboardPage } from '#features/dashboard/index.ts'
import { loadDealsPage } from '#features/deals/index.ts'
import { loadDuplicatesPage } from '#features/duplicates/index.ts'
import { loadHistoryPage } from '#features/history/index.ts'
import { loadImportPage } from '#features/imports/index.ts'
import { loadFormsPage } from '#features/leads/index.ts'
import { loadMailPage } from '#features/mail/index.ts'
import { loadFieldsPage } from '#features/own-fields/index.ts'
import { loadReportsPage, loadWeekPage } from '#features/reports/index.ts'
import { loadSettingsPage } from '#features/settings/index.ts'
import { loadTasksPage } from '#features/tasks/index.ts'
import { loadTrashPage } from '#features/trash/index.ts'

export type Screen = {
  path: string
  name: string
  icon: Icon
  /** Loads the code, when the screen is opened or the user points at its link. */
  load: () => Promise<ComponentType>
}

/** The screens of the workspace, in the order of the sidebar. */
export const screens: Screen[] = [
  {
    path: 'dashboard',
    name: 'Dashboard',
    icon: IconLayoutDashboard,
    load: async () => (await loadDashboardPage()).DashboardPage,
  },
  {
    path: 'contacts',
    name: 'Contacts',
    icon: IconUsers,
    load: async () => (await loadContactsPage()).ContactsPage,
  },
  {
    path: 'companies',
    name: 'Companies',
    icon: IconBuilding,
    load: async () => (await loadCompaniesPage()).CompaniesPage,
  },
  {
    path: 'deals',
    name: 'Deals',
    icon: IconCurrencyDollar,
    load: async () => (await loadDealsPage()).DealsPage,
  },
  {
    path: 'reports',
    name: 'Reports',
    icon: IconChartBar,
    load: async () => (await loadReportsPage()).ReportsPage,
  },
  {
    path: 'tasks',
    name: 'Tasks',
    icon: IconChecklist,
    load: async () => (await loadTasksPage()).TasksPage,
  },
  {
    path: 'settings',
    name: 'Settings',
    icon: IconSettings,
    load: async () => (await loadSettingsPage()).SettingsPage,
  },
]

type InnerPage = {
  path: string
  load: () => Promise<ComponentType>
}

/** The pages of single records. */
export const recordPages: InnerPage[] = [
  {
    path: 'contacts/:id',
    load: async () => (await import('./records/contact-page.tsx')).ContactPage,
  },
  {
    path: 'companies/:id',
    load: async () => (await import('./records/company-page.tsx')).CompanyPage,
  },
  {
    path: 'deals/:id',
    load: async () => (await import('./records/deal-page.tsx')).DealPage,
  },
]

/** Other pages that are opened from others, not from the sidebar, such as parts of the settings. */
export const innerPages: InnerPage[] = [
  {
    path: 'open/:what',
    load: async () => (await import('./open-from-outside.tsx')).OpenFromOutside,
  },
  {
    path: 'reports/week',
    load: async () => (await loadWeekPage()).WeekPage,
  },
  {
    path: 'outbox',
    load: async () => (await loadOutboxPage()).OutboxPage,
  },
  {
    path: 'settings/import',
    load: async () => (await loadImportPage()).ImportPage,
  },
  {
    path: 'settings/fields',
    load: async () => (await loadFieldsPage()).FieldsPage,
  },
  {
    path: 'settings/forms',
    load: async () => (await loadFormsPage()).FormsPage,
  },
  {
    path: 'settings/email',
    load: async () => (await loadMailPage()).MailPage,
  },
  {
    path: 'settings/connections',
    load: async () => (await loadConnectionsPage()).ConnectionsPage,
  },
  {
    path: 'settings/connections/interface',
    load: async () => (await loadInterfacePage()).InterfacePage,
  },
  {
    path: 'settings/backup',
    load: async () => (await loadBackupPage()).BackupPage,
  },
  {
    path: 'settings/trash',
    load: async () => (await loadTrashPage()).TrashPage,
  },
  {
    path: 'settings/history',
    load: async () => (await loadHistoryPage()).HistoryPage,
  },
  {
    path: 'settings/duplicates',
    load: async () => (await loadDuplicatesPage()).DuplicatesPage,
  },
]
