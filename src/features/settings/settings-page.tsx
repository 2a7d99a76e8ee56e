import { lazyPart } from '#ui/lazy-part.tsx'
import { PanelScreen } from '#ui/panel-screen.tsx'
import { loadSettingsPanels } from './load-settings-panels.ts'
import { Profile } from './profile.tsx'

const SettingsPanels = lazyPart(async () => (await loadSettingsPanels()).SettingsPanels, {
  name: 'The other settings',
})

/** Profile, subscription, data and account. */
export function SettingsPage() {
  return (
    <PanelScreen title="Settings" subtitle="Manage your profile, data and account">
      <Profile />
      <SettingsPanels />
    </PanelScreen>
  )
}
