import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import {
  type BackupManifest,
  BackupProblem,
  type BackupTable,
  contentName,
  fileInLine,
  fileOf,
  manifestName,
  maxFileSize,
  versionFor,
} from '#domain/backup.ts'
import { loadContents } from '#features/files/index.ts'
import { version as appVersion } from '#package.json'
import { crc32 } from './crc32.ts'
import { type Content, readContents, readCounts, readLines } from './queries.ts'

type MakeOptions = {
  account: BackupManifest['account']
  now: number
  /** Called after each page with the rows so far and the expected total, or with megabytes of files. */
  onProgress: (done: number, total: number, unit: 'rows' | 'MB') => void
  signal: AbortSignal
}

/** Everything the account owns as one zip, read page by page. */
export async function makeBackup({ account, now, onProgress, signal }: MakeOptions): Promise<Blob> {
  const written: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let [waiting, size] = [0, 0]
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    // The library never uses shared memory.
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
    size += chunk.length
    waiting += chunk.length
    if (size > maxFileSize) throw new BackupProblem(tooLarge)
    // Browsers keep a large Blob on the disk.
    if (waiting < flushedAt) return
    written.push(new Blob(chunks))
    chunks = []
    waiting = 0
  })
  const counts = await readCounts()
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  const tables: BackupTable[] = []
  const names = new Map<string, string>()
  let done = 0
  for (const { kind } of counts) {
    const file = new ZipDeflate(fileOf({ kind }), { level: 6 })
    zip.add(file)
    const table = { kind, rows: 0, bytes: 0, crc32: 0 }
    let after: string | null = null
    do {
      signal.throwIfAborted()
      const page = await readLines(kind, after)
      noteNames(kind, page.lines, names)
      const bytes = new TextEncoder().encode(page.count > 0 ? `${page.lines}\n` : '')
      table.rows += page.count
      table.bytes += bytes.length
      table.crc32 = crc32(bytes, table.crc32)
      file.push(bytes)
      after = page.next
      done += page.count
      onProgress(done, Math.max(total, done), 'rows')
    } while (after !== null)
    file.push(new Uint8Array(), true)
    tables.push(table)
  }
  const files = await addContents(zip, names, onProgress, signal)
  const hasFiles = files.count > 0 || tables.some(({ kind, rows }) => kind === 'files' && rows > 0)
  const manifest: BackupManifest = {
    format: 'solo-crm-backup',
    version: versionFor(hasFiles),
    app_version: appVersion,
    made_at: new Date(now).toISOString(),
    account,
    // Older programs know no such table, not even an empty one.
    tables: hasFiles ? tables : tables.filter(({ kind }) => kind !== 'files'),
    ...(hasFiles ? { files } : {}),
  }
  const file = new ZipDeflate(manifestName)
  zip.add(file)
  file.push(new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`), true)
  zip.end()
  return new Blob([...written, ...chunks], { type: 'application/zip' })
}

const tooLarge =
  'Your files are too large for one backup. Download those you need, delete some, and try again.'

/** In bytes. */
const flushedAt = 8_000_000
const megabyte = 1_048_576

/** Notes the names of all files, also of those in the trash: a stored content knows only its hash. */
function noteNames(kind: string, lines: string, names: Map<string, string>): void {
  if (kind !== 'files' && kind !== 'changes') return
  for (const line of lines.split('\n')) {
    if (!line.includes('"sha256"')) continue
    const file = fileInLine(line)
    if (file) names.set(file.sha256, file.name)
  }
}

/** What the files hold, part by part; it is not packed, because most of it is already. */
async function addContents(
  zip: Zip,
  names: ReadonlyMap<string, string>,
  onProgress: MakeOptions['onProgress'],
  signal: AbortSignal,
): Promise<NonNullable<BackupManifest['files']>> {
  const contents: Content[] = []
  for await (const content of readContents(signal)) contents.push(content)
  const total = contents.reduce((sum, { size }) => sum + size, 0)
  const { readParts } = await loadContents()
  let done = 0
  for (const content of contents) {
    const file = new ZipPassThrough(contentName(content.sha256, names.get(content.sha256) ?? ''))
    zip.add(file)
    for await (const part of readParts(content, signal)) {
      file.push(part)
      done += part.length
      onProgress(Math.round(done / megabyte), Math.ceil(total / megabyte), 'MB')
    }
    file.push(new Uint8Array(), true)
  }
  return { count: contents.length, bytes: total }
}
