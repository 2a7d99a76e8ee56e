import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { BackupProblem } from '#domain/backup.ts'
import { showUndoToast } from '#features/history/index.ts'
import { errorMessage, isUnreachable } from '#lib/errors.ts'
import { newId } from '#lib/new-id.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { warnBeforeUnload } from '#ui/unload-warning.ts'
import type { RestoreAnswer } from './queries.ts'
import type { OpenBackup } from './read-backup.ts'
import type { Progress } from './restore-backup.ts'

export type Problem = { title: string; text: string }

type State =
  | { step: 'none' }
  /** The file cannot be restored. */
  | { step: 'refused'; problem: Problem }
  /** Ready to be restored, or to be tried again. */
  | { step: 'open'; backup: OpenBackup; id: string; problem?: Problem }
  | { step: 'running'; backup: OpenBackup; progress: Progress }
  | { step: 'done'; answer: RestoreAnswer }

/** A file from its choice to its end. */
export function useRestore() {
  const queryClient = useQueryClient()
  const [state, setState] = useState<State>({ step: 'none' })
  const isRunning = state.step === 'running'
  useEffect(() => (isRunning ? warnBeforeUnload() : undefined), [isRunning])
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])

  async function choose(file: File | null): Promise<void> {
    if (!file) return
    try {
      const { openBackup } = await import('./read-backup.ts')
      setState({ step: 'open', backup: await openBackup(file), id: newId() })
    } catch (error) {
      setState({ step: 'refused', problem: problemOf(error) })
    }
  }

  async function start(): Promise<void> {
    if (state.step !== 'open') return
    const { backup, id } = state
    let isWriting = false
    function onProgress(progress: Progress): void {
      isWriting = progress.step === 'writing'
      setState({ step: 'running', backup, progress })
    }
    try {
      const { restoreBackup } = await import('./restore-backup.ts')
      const answer = await restoreBackup({ backup, id, onProgress })
      setState({ step: 'done', answer })
      const onUndone = () => readFromTheStart(queryClient)
      onUndone()
      const { batch } = answer
      if (batch) showUndoToast({ message: 'Backup restored', batch: async () => batch, onUndone })
      else if (isLeft.current) showToast({ message: nothingAdded })
    } catch (error) {
      const problem = isWriting && isUnreachable(error) ? unsure(error) : problemOf(error)
      if (error instanceof BackupProblem) setState({ step: 'refused', problem })
      else setState({ step: 'open', backup, id, problem })
      // The user has left the screen: show a toast.
      if (isLeft.current) showError(`${backup.file.name}: ${problem.text}`, problem.title)
    }
  }

  return { state, choose, start, leave: () => setState({ step: 'none' }) }
}

const nothingAdded = 'Everything in the backup is already here'

function problemOf(error: unknown): Problem {
  const text = error instanceof BackupProblem ? error.message : errorMessage(error)
  return { title: 'Nothing was restored', text }
}

/** After a lost answer the backup may have been restored. */
function unsure(error: unknown): Problem {
  return {
    title: 'The backup may not have been restored',
    text: `${errorMessage(error)} If you try again, nothing is added twice.`,
  }
}
