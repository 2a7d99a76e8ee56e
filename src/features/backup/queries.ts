import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type BackupManifest, backupVersion } from '#domain/backup.ts'
import { maybe } from '#lib/answers.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'

const counts = z.array(z.object({ kind: z.string(), rows: z.number() }))

export function readCounts() {
  return callForJson('backup_counts', {}, counts)
}

/** The parts of a backup, and how many rows each has now. */
export function useBackupCounts() {
  return useQuery({
    queryKey: ['backup'],
    queryFn: readCounts,
    meta: { failed: 'Failed to count your records' },
  })
}

const linesPage = z.object({ lines: z.string(), count: z.number(), next: maybe })

export function readLines(kind: string, after: string | null) {
  return callForJson('backup_page', after === null ? { kind } : { kind, after }, linesPage)
}

export function startRestore(id: string, manifest: BackupManifest, about: string): Promise<void> {
  const tables = Object.fromEntries(manifest.tables.map(({ kind, rows }) => [kind, rows]))
  const account = manifest.account.id
  return callFunction('start_restore', { id, version: backupVersion, tables, account, about })
}

export type LinesPart = { kind: string; part: number; lines: string }

/** The same part sent again changes nothing. */
export function sendLines(restore: string, part: LinesPart): Promise<void> {
  return callFunction('add_restore_rows', { restore, ...part })
}

const restoreAnswer = z.object({
  batch: maybe,
  counts: z.record(z.string(), z.object({ added: z.number(), there: z.number() })),
  /** Changes of the log that came along. */
  history: z.number(),
  /** Rows that had no place, because what they belong to is not in the backup. */
  lost: z.number(),
})

export type RestoreAnswer = z.output<typeof restoreAnswer>

/** Writes all of it, or nothing; asked again, it answers the same. */
export function finishRestore(restore: string): Promise<RestoreAnswer> {
  return callForJson('finish_restore', { restore }, restoreAnswer)
}
