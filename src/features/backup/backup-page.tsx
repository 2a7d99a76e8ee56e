import { PanelScreen } from '#ui/panel-screen.tsx'
import { BackUpPanel } from './back-up-panel.tsx'
import { RestorePanel } from './restore-panel.tsx'

/** Everything the account owns, out as one file and in again. */
export function BackupPage() {
  return (
    <PanelScreen
      title="Backup"
      subtitle="Download everything as one file, or restore it."
      back={{ label: 'Settings', to: '/app/settings' }}
    >
      <BackUpPanel />
      <RestorePanel />
    </PanelScreen>
  )
}
