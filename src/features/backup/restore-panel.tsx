import { Button, FileButton } from '@mantine/core'
import { backupCounts } from '#domain/backup.ts'
import { shownMoment } from '#domain/dates.ts'
import { useAuth } from '#features/auth/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { Panel, PanelRow } from '#ui/panel.tsx'
import classes from './backup.module.css'
import type { RestoreAnswer } from './queries.ts'
import type { OpenBackup } from './read-backup.ts'
import { StepBar } from './step-bar.tsx'
import { type Problem, useRestore } from './use-restore.ts'

const steps = {
  checking: 'Checking the file',
  files: 'Sending files',
  sending: 'Sending',
  writing: 'Saving',
}

/** Brings a backup back, into this or another account. */
export function RestorePanel() {
  const { state, choose, start, leave } = useRestore()
  return (
    <Panel title="Restore">
      <PanelRow
        title="Restore a backup"
        text="Adds what’s missing here. Your current records stay as they are, nothing is added twice, and you can undo it."
      >
        <FileButton accept=".zip,application/zip" onChange={choose}>
          {(props) => (
            <Button variant="default" disabled={state.step === 'running'} {...props}>
              Choose a file
            </Button>
          )}
        </FileButton>
      </PanelRow>
      {state.step === 'refused' && <Refused problem={state.problem} />}
      {state.step === 'open' && (
        <PanelRow title={state.backup.file.name} text={<Contents backup={state.backup} />}>
          <Button variant="default" onClick={leave}>
            Cancel
          </Button>
          <Button onClick={start}>{state.problem ? 'Try again' : 'Restore'}</Button>
        </PanelRow>
      )}
      {state.step === 'open' && state.problem && <Refused problem={state.problem} />}
      {state.step === 'running' && (
        <StepBar
          words={steps[state.progress.step]}
          unit={state.progress.step === 'files' ? 'MB' : 'rows'}
          {...state.progress}
        />
      )}
      {state.step === 'done' && <Outcome answer={state.answer} />}
    </Panel>
  )
}

function Refused({ problem: { title, text } }: { problem: Problem }) {
  return (
    <div role="alert">
      <PanelRow title={<span className={classes.problem}>{title}</span>} text={text} />
    </div>
  )
}

function Contents({ backup: { manifest } }: { backup: OpenBackup }) {
  const { user } = useAuth()
  const timeZone = useTimeZone()
  const { made_at, account, tables } = manifest
  const rowsOf = (wanted: string) => tables.find(({ kind }) => kind === wanted)?.rows ?? 0
  const isOfAnother = account.id !== user?.id
  return (
    <ul className={classes.facts}>
      <li>Made on {shownMoment(made_at, timeZone)}</li>
      {isOfAnother && (
        <li>
          This backup is from another account, {account.email}. Its records will be added to yours.
        </li>
      )}
      <li>{backupCounts(rowsOf).join(', ') || 'No records'}</li>
    </ul>
  )
}

function Outcome({ answer: { counts, lost } }: { answer: RestoreAnswer }) {
  const added = backupCounts((kind) => counts[kind]?.added ?? 0).join(', ')
  const there = backupCounts((kind) => counts[kind]?.there ?? 0).join(', ')
  return (
    <div role="status">
      <PanelRow
        title={added ? 'Restored' : 'Nothing to restore'}
        text={
          <ul className={classes.facts}>
            {added && <li>Added: {added}</li>}
            {there && <li>Already here: {there}</li>}
            {lost > 0 && <li>Skipped, because the linked record is missing: {lost}</li>}
          </ul>
        }
      />
    </div>
  )
}
