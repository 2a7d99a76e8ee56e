import { ConnectionsPanel } from '#features/connections/index.ts'
import { LostReasons } from '#features/deals/index.ts'
import { KeepDataRow } from '#features/device/index.ts'
import { InstallRow } from '#features/installed/index.ts'
import { LeadsPanel } from '#features/leads/index.ts'
import { MailPanel } from '#features/mail/index.ts'
import { MoneySettings } from '#features/money/index.ts'
import { Panel } from '#ui/panel.tsx'
import { AccountActions } from './account-actions.tsx'
import { DataManagement } from './data-management.tsx'
import { Subscription } from './subscription.tsx'

export { DisplaySettings } from './display-settings.tsx'

/** All panels but the profile. */
export function SettingsPanels() {
  return (
    <>
      <MoneySettings />
      <LostReasons />
      <Subscription />
      <DataManagement />
      <MailPanel />
      <LeadsPanel />
      <ConnectionsPanel />
      <Panel title="App">
        <InstallRow />
        <KeepDataRow />
      </Panel>
      <AccountActions />
    </>
  )
}
