import { finishRestore, type RestoreAnswer, sendLines, startRestore } from './queries.ts'
import { type OpenBackup, partsOf } from './read-backup.ts'

/** The progress of a restore, in rows. */
export type Progress = { step: 'checking' | 'sending' | 'writing'; done: number; total: number }

type RestoreOptions = {
  backup: OpenBackup
  /** The same id for all tries, so that a retry continues the same restore. */
  id: string
  onProgress: (progress: Progress) => void
}

/**
 * Restores a backup: checks the whole file, sends it in parts, then lets the database write it in one step.
 */
export async function restoreBackup({
  backup,
  id,
  onProgress,
}: RestoreOptions): Promise<RestoreAnswer> {
  const { tables } = backup.manifest
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  async function eachPart(
    step: Progress['step'],
    use: (kind: string, part: number, lines: string) => Promise<void>,
  ): Promise<void> {
    let done = 0
    onProgress({ step, done, total })
    for (const table of tables) {
      let part = 0
      for await (const lines of partsOf(backup, table)) {
        await use(table.kind, part, lines)
        part += 1
        done += lines.split('\n').length
        onProgress({ step, done, total })
      }
    }
  }
  await eachPart('checking', async () => {})
  await startRestore(id, backup.manifest, backup.file.name)
  await eachPart('sending', (kind, part, lines) => sendLines(id, { kind, part, lines }))
  onProgress({ step: 'writing', done: total, total })
  return finishRestore(id)
}
