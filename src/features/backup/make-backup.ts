import { Zip, ZipDeflate } from 'fflate'
import {
  type BackupManifest,
  type BackupTable,
  backupVersion,
  fileOf,
  manifestName,
} from '#domain/backup.ts'
import { version as appVersion } from '#package.json'
import { crc32 } from './crc32.ts'
import { readCounts, readLines } from './queries.ts'

type MakeOptions = {
  account: BackupManifest['account']
  now: number
  /** Called after each page with the rows so far and the expected total. */
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** Everything the account owns as one zip, read page by page. */
export async function makeBackup({ account, now, onProgress, signal }: MakeOptions): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    // The library never uses shared memory.
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
  })
  const counts = await readCounts()
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  const tables: BackupTable[] = []
  let done = 0
  for (const { kind } of counts) {
    const file = new ZipDeflate(fileOf({ kind }), { level: 6 })
    zip.add(file)
    const table = { kind, rows: 0, bytes: 0, crc32: 0 }
    let after: string | null = null
    do {
      signal.throwIfAborted()
      const page = await readLines(kind, after)
      const bytes = new TextEncoder().encode(page.count > 0 ? `${page.lines}\n` : '')
      table.rows += page.count
      table.bytes += bytes.length
      table.crc32 = crc32(bytes, table.crc32)
      file.push(bytes)
      after = page.next
      done += page.count
      onProgress(done, Math.max(total, done))
    } while (after !== null)
    file.push(new Uint8Array(), true)
    tables.push(table)
  }
  const manifest: BackupManifest = {
    format: 'solo-crm-backup',
    version: backupVersion,
    app_version: appVersion,
    made_at: new Date(now).toISOString(),
    account,
    tables,
  }
  const file = new ZipDeflate(manifestName)
  zip.add(file)
  file.push(new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`), true)
  zip.end()
  return new Blob(chunks, { type: 'application/zip' })
}
