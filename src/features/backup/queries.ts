import { useQuery } from '@tanstack/react-query'
import { type BackupManifest, backupVersion } from '#domain/backup.ts'
import { callFunction } from '#lib/supabase.ts'

type Count = { kind: string; rows: number }

export function readCounts(): Promise<Count[]> {
  return callFunction('backup_counts', {})
}

/** The number of rows of each table now. */
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

/** Idempotent: the same part may be sent again. */
export function sendLines(restore: string, part: LinesPart): Promise<void> {
  return callFunction('add_restore_rows', { restore, ...part })
}

export type RestoreAnswer = {
  batch: string | null
  counts: Record<string, { added: number; there: number }>
  /** Restored entries of the log. */
  history: number
  /** Rows that were skipped because their parent is not in the backup. */
  lost: number
}

/** Writes all or nothing. Idempotent. */
export function finishRestore(restore: string): Promise<RestoreAnswer> {
  return callFunction('finish_restore', { restore })
}
