import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type BackupManifest, backupVersion } from '#domain/backup.ts'
import { maybe } from '#lib/answers.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'

const counts = z.array(z.object({ kind: z.string(), rows: z.number() }))

export function readCounts() {
  return callForJson('backup_counts', {}, counts)
}

/** The number of rows of each table now. */
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

/** Idempotent: the same part may be sent again. */
export function sendLines(restore: string, part: LinesPart): Promise<void> {
  return callFunction('add_restore_rows', { restore, ...part })
}

const restoreAnswer = z.object({
  batch: maybe,
  counts: z.record(z.string(), z.object({ added: z.number(), there: z.number() })),
  /** Restored entries of the log. */
  history: z.number(),
  /** Rows that were skipped because their parent is not in the backup. */
  lost: z.number(),
})

export type RestoreAnswer = z.output<typeof restoreAnswer>

/** Writes all or nothing. Idempotent. */
export function finishRestore(restore: string): Promise<RestoreAnswer> {
  return callForJson('finish_restore', { restore }, restoreAnswer)
}

const contents = z.array(z.object({ sha256: z.string(), size: z.number() }))

/** What a file holds: its hash and its size. */
export type Content = z.output<typeof contents>[number]

/** The contents of all files, those in the trash included. */
export async function* readContents(signal: AbortSignal): AsyncGenerator<Content> {
  let after: string | undefined
  do {
    const page: Content[] = await callForJson(
      'backup_contents',
      after === undefined ? {} : { after },
      contents,
      signal,
    )
    yield* page
    after = page.at(-1)?.sha256
  } while (after !== undefined)
}
