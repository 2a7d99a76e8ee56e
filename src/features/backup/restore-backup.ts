import { BackupProblem } from '#domain/backup.ts'
import { filePartSize } from '#domain/files.ts'
import { loadContents } from '#features/files/index.ts'
import { finishRestore, type RestoreAnswer, sendLines, startRestore } from './queries.ts'
import { bytesIn, type OpenBackup, partsOf } from './read-backup.ts'

/** The progress of a restore, in rows; of files, in megabytes. */
export type Progress = {
  step: 'checking' | 'files' | 'sending' | 'writing'
  done: number
  total: number
}

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
  for (const content of backup.contents) {
    for await (const _ of bytesIn(backup, content, filePartSize)) {
      // Read to its end, where its check sum is compared.
    }
  }
  await sendContents(backup, onProgress)
  await startRestore(id, backup.manifest, backup.file.name)
  await eachPart('sending', (kind, part, lines) => sendLines(id, { kind, part, lines }))
  onProgress({ step: 'writing', done: total, total })
  return finishRestore(id)
}

const megabyte = 1_048_576

/** Sends the contents of files, which must be stored before the file rows. Parts that an earlier try has sent are skipped. */
async function sendContents(
  backup: OpenBackup,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  const { contents } = backup
  if (contents.length === 0) return
  const { startUpload, sendPart, finishUpload, encoded } = await loadContents()
  const total = contents.reduce((sum, { entry }) => sum + entry.size, 0)
  let done = 0
  for (const content of contents) {
    const { sha256, entry } = content
    const { missing } = await startUpload(sha256, entry.size)
    let part = 0
    if (missing.length > 0) {
      for await (const bytes of bytesIn(backup, content, filePartSize)) {
        if (missing.includes(part)) await sendPart(sha256, part, encoded(bytes))
        part += 1
        const sent = done + Math.min(part * filePartSize, entry.size)
        onProgress({
          step: 'files',
          done: Math.round(sent / megabyte),
          total: Math.ceil(total / megabyte),
        })
      }
    }
    done += entry.size
    if (!(await finishUpload(sha256))) {
      throw new BackupProblem('This file is damaged: one of the files in it was changed.')
    }
  }
}
