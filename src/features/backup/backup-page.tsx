import { ScreenHeader } from '#ui/screen-header.tsx'
import { BackUpPanel } from './back-up-panel.tsx'
import classes from './backup.module.css'
import { RestorePanel } from './restore-panel.tsx'

/** Everything the account owns, out as one file and in again. */
export function BackupPage() {
  return (
    <div className={classes.page}>
      <ScreenHeader
        title="Backup"
        subtitle="Download everything as one file, or restore it."
        back={{ label: 'Settings', to: '/app/settings' }}
      />
      <div className={classes.panels}>
        <BackUpPanel />
        <RestorePanel />
      </div>
    </div>
  )
}
