import { useQuery } from '@tanstack/react-query'
import { type BackupManifest, backupVersion } from '#domain/backup.ts'
import { callFunction } from '#lib/supabase.ts'

type Count = { kind: string; rows: number }

export function readCounts(): Promise<Count[]> {
  return callFunction('backup_counts', {})
}

/** The parts of a backup, and how many rows each has now. */
export function useBackupCounts() {
  return useQuery({
    queryKey: ['backup'],
    queryFn: readCounts,
    meta: { failed: 'Failed to count your records' },
  })
}

type LinesPage = { lines: string; count: number; next: string | null }

export function readLines(kind: string, after: string | null): Promise<LinesPage> {
  return callFunction('backup_page', after === null ? { kind } : { kind, after })
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

export type RestoreAnswer = {
  batch: string | null
  counts: Record<string, { added: number; there: number }>
  /** Changes of the log that came along. */
  history: number
  /** Rows that had no place, because what they belong to is not in the backup. */
  lost: number
}

/** Writes all of it, or nothing; asked again, it answers the same. */
export function finishRestore(restore: string): Promise<RestoreAnswer> {
  return callFunction('finish_restore', { restore })
}
