import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BackupProblem } from '#domain/backup.ts'
import { showUndoToast } from '#features/history/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { newId } from '#lib/new-id.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { warnBeforeUnload } from '#ui/unload-warning.ts'
import type { RestoreAnswer } from './queries.ts'
import type { OpenBackup } from './read-backup.ts'
import type { Progress } from './restore-backup.ts'

type State =
  | { step: 'none' }
  /** The file cannot be restored, and why. */
  | { step: 'refused'; problem: string }
  /** Ready to be restored, or to be tried again. */
  | { step: 'open'; backup: OpenBackup; id: string; problem?: string }
  | { step: 'running'; backup: OpenBackup; progress: Progress }
  | { step: 'done'; answer: RestoreAnswer }

/** A file from its choice to its end. */
export function useRestore() {
  const queryClient = useQueryClient()
  const [state, setState] = useState<State>({ step: 'none' })
  const isRunning = state.step === 'running'
  useEffect(() => (isRunning ? warnBeforeUnload() : undefined), [isRunning])

  async function choose(file: File | null): Promise<void> {
    if (!file) return
    try {
      const { openBackup } = await import('./read-backup.ts')
      setState({ step: 'open', backup: await openBackup(file), id: newId() })
    } catch (error) {
      setState({ step: 'refused', problem: wordsFor(error) })
    }
  }

  async function start(): Promise<void> {
    if (state.step !== 'open') return
    const { backup, id } = state
    const tell = (progress: Progress) => setState({ step: 'running', backup, progress })
    try {
      const { restoreBackup } = await import('./restore-backup.ts')
      const answer = await restoreBackup({ backup, id, tell })
      setState({ step: 'done', answer })
      const onUndone = () => readFromTheStart(queryClient)
      onUndone()
      const { batch } = answer
      if (batch) showUndoToast({ message: 'Backup restored', batch: async () => batch, onUndone })
    } catch (error) {
      if (error instanceof BackupProblem) setState({ step: 'refused', problem: wordsFor(error) })
      else setState({ step: 'open', backup, id, problem: wordsFor(error) })
    }
  }

  return { state, choose, start, leave: () => setState({ step: 'none' }) }
}

function wordsFor(error: unknown): string {
  return error instanceof BackupProblem ? error.message : errorMessage(error)
}
