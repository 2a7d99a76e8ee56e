import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { backupCounts } from '#domain/backup.ts'
import { dayOf } from '#domain/dates.ts'
import { useAuth } from '#features/auth/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { saveFile } from '#lib/save-file.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import { showError, showToast } from '#ui/toast.tsx'
import { useBackupCounts } from './queries.ts'
import { StepBar } from './step-bar.tsx'

type Done = { done: number; total: number; unit: 'rows' | 'MB' }

/** Downloads everything as one file, with a progress bar. */
export function BackUpPanel() {
  const { user } = useAuth()
  const timeZone = useTimeZone()
  const { data: counts } = useBackupCounts()
  const [progress, setProgress] = useState<Done | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function backUp(): Promise<void> {
    if (!user) return
    const controller = new AbortController()
    running.current = controller
    setProgress({ done: 0, total: 0, unit: 'rows' })
    try {
      const { makeBackup } = await import('./make-backup.ts')
      const now = Date.now()
      const file = await makeBackup({
        account: { id: user.id, email: user.email ?? '' },
        now,
        onProgress: (done, total, unit) => setProgress({ done, total, unit }),
        signal: controller.signal,
      })
      saveFile(file, `solo-crm-backup-${dayOf(now, timeZone)}.zip`)
      showToast({ message: 'Backup saved to your downloads' })
    } catch (error) {
      if (!controller.signal.aborted) showError(`Failed to back up: ${errorMessage(error)}`)
    }
    setProgress(null)
  }

  const rowsOf = (wanted: string) => counts?.find(({ kind }) => kind === wanted)?.rows ?? 0
  const held = backupCounts(rowsOf).join(', ')
  return (
    <Panel title="Back up">
      <PanelRow
        title="Full backup"
        text={`Your records, files, history and trash in one zip file${held ? `: ${held}.` : '.'}`}
      >
        {progress ? (
          <Button variant="default" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        ) : (
          <Button onClick={backUp}>Download backup</Button>
        )}
      </PanelRow>
      <PanelRow
        title="Spreadsheet files"
        text={
          <>
            CSV files come from Export in <Link to="/app/settings">Data Management</Link> for
            contacts, and in <Link to="/app/companies">Companies</Link> and{' '}
            <Link to="/app/deals">Deals</Link> for those.
          </>
        }
      />
      {progress && (
        <StepBar
          words={progress.unit === 'MB' ? 'Reading your files' : 'Reading your records'}
          {...progress}
        />
      )}
    </Panel>
  )
}
