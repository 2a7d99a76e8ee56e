import { z } from 'zod'
import { nounOf } from './change-words.ts'
import { counted } from './counted.ts'
import { recordKinds } from './record-kinds.ts'

/** The newest version of the format that this program reads; it refuses newer ones. Since 2: fields of the user's own; since 3: files. */
export const backupVersion = 3

/** The version of a new backup. One without files is written as before, so that older programs read it. */
export function versionFor(hasFiles: boolean): number {
  return hasFiles ? 3 : 2
}

export const manifestName = 'backup.json'

const megabyte = 1_000_000
/** The limit for the zip file itself: a zip of the common form holds no more than 4 GB. */
export const maxFileSize = 4000 * megabyte
/** The limit for its unpacked contents. */
const maxUnpackedSize = 2000 * megabyte
export const maxManifestSize = megabyte

const tableSchema = z.object({
  kind: z.string().regex(/^[a-z_]+$/),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  crc32: z.int().min(0),
})

const manifestSchema = z.object({
  format: z.literal('solo-crm-backup'),
  version: z.int().min(1),
  app_version: z.string().max(50),
  made_at: z.iso.datetime({ offset: true }),
  account: z.object({ id: z.guid(), email: z.string().max(320) }),
  tables: z.array(tableSchema).max(100),
  /** What the files hold: how many, and how large together. Missing where there are none. */
  files: z.object({ count: z.int().min(0), bytes: z.int().min(0) }).optional(),
})

/** The contents of `backup.json`. */
export type BackupManifest = z.output<typeof manifestSchema>
export type BackupTable = z.output<typeof tableSchema>

/** Why a file cannot be restored, in words. */
export class BackupProblem extends Error {}

/** The name of a table's file in the zip. */
export function fileOf({ kind }: Pick<BackupTable, 'kind'>): string {
  return `${kind}.jsonl`
}

/** The name of the file in the zip that has what a file holds; people find it by its name, the program by its hash. */
export function contentName(sha256: string, name: string): string {
  return `files/${sha256}/${name.replaceAll(/[/\\]/g, '_') || 'file'}`
}

/** The hash in such a name; null for another file of the zip. */
export function hashIn(entry: string): string | null {
  return /^files\/([0-9a-f]{64})\//.exec(entry)?.[1] ?? null
}

/** The name of a file, and the hash of what it holds, in a line of `files.jsonl` or in what the trash has of one. */
export function fileInLine(line: string): { sha256: string; name: string } | null {
  const parsed: unknown = JSON.parse(line)
  const row = z.object({ sha256: z.string(), name: z.string() })
  const read = z
    .union([row, z.object({ table_name: z.literal('files'), before: row })])
    .safeParse(parsed)
  if (!read.success) return null
  return 'before' in read.data ? read.data.before : read.data
}

/** Reads the manifest, or throws why the file cannot be restored. */
export function readManifest(text: string): BackupManifest {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new BackupProblem('This file is damaged: its manifest can’t be read.')
  }
  const version = z
    .object({ format: z.literal('solo-crm-backup'), version: z.int() })
    .safeParse(parsed)
  if (!version.success) throw new BackupProblem('This zip file isn’t a Solo CRM backup.')
  if (version.data.version > backupVersion) {
    throw new BackupProblem(
      'This backup was made by a newer version of Solo CRM. Update this one, then try again.',
    )
  }
  const read = manifestSchema.safeParse(parsed)
  if (!read.success) throw new BackupProblem('This file is damaged: its manifest can’t be read.')
  const total = read.data.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > maxUnpackedSize) {
    throw new BackupProblem('This backup is larger than 2 GB and can’t be restored here.')
  }
  return read.data
}

/** '340 contacts', '12 companies': the counts that are shown of a backup. */
export function backupCounts(rowsOf: (kind: string) => number): string[] {
  return recordKinds.flatMap((kind) => {
    const { one, many } = nounOf(kind)
    const rows = rowsOf(kind)
    return rows > 0 ? counted(rows, one, many) : []
  })
}
