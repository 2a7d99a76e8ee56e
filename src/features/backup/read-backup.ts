import { Inflate } from 'fflate'
import {
  type BackupManifest,
  BackupProblem,
  type BackupTable,
  fileOf,
  hashIn,
  manifestName,
  maxFileSize,
  maxManifestSize,
  readManifest,
} from '#domain/backup.ts'
import { crc32 } from './crc32.ts'
import {
  directoryTail,
  findDirectory,
  headerLength,
  localHeaderSize,
  readDirectory,
  type ZipEntry,
} from './zip.ts'

const damaged = 'This file is damaged or incomplete. Get a new copy of the backup and try again.'

export type OpenBackup = {
  file: File
  manifest: BackupManifest
  entries: Map<string, ZipEntry>
  contents: PackedContent[]
}

/** Opens a backup, or throws why it cannot be restored. */
export async function openBackup(file: File): Promise<OpenBackup> {
  if (file.size > maxFileSize) throw new BackupProblem('This file is larger than 4 GB.')
  if (!(await startsAsZip(file))) {
    throw new BackupProblem('This isn’t a backup. Choose a zip file downloaded from Solo CRM.')
  }
  const tail = await bytesOf(file, Math.max(0, file.size - directoryTail), file.size)
  const directory = findDirectory(tail, file.size)
  if (!directory) throw new BackupProblem(damaged)
  const listed = readDirectory(
    await bytesOf(file, directory.offset, directory.offset + directory.size),
  )
  if (!listed) throw new BackupProblem(damaged)
  const entries = new Map(listed.map((entry) => [entry.name, entry]))
  const entry = entries.get(manifestName)
  if (!entry) throw new BackupProblem('This zip file isn’t a Solo CRM backup.')
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of unpacked(file, entry, maxManifestSize)) {
    text += decoder.decode(chunk, { stream: true })
  }
  const manifest = readManifest(text)
  for (const table of manifest.tables) {
    // Check the sizes before unpacking, against zip bombs.
    if (entries.get(fileOf(table))?.size !== table.bytes) throw new BackupProblem(damaged)
  }
  const contents = contentsOf(entries)
  const bytes = contents.reduce((sum, { entry }) => sum + entry.size, 0)
  const { files = { count: 0, bytes: 0 } } = manifest
  if (contents.length !== files.count || bytes !== files.bytes) throw new BackupProblem(damaged)
  return { file, manifest, entries, contents }
}

/** What a file holds, and where it stands in the zip. */
export type PackedContent = { sha256: string; entry: ZipEntry }

function contentsOf(entries: ReadonlyMap<string, ZipEntry>): PackedContent[] {
  return [...entries].flatMap(([name, entry]) => {
    const sha256 = hashIn(name)
    return sha256 ? [{ sha256, entry }] : []
  })
}

/** The content of a file, in parts of `size` that share one buffer; checks at the end that nothing is missing or changed. */
export async function* bytesIn(
  { file }: Pick<OpenBackup, 'file'>,
  { entry }: PackedContent,
  size: number,
): AsyncGenerator<Uint8Array> {
  let [sum, length] = [0, 0]
  const part = new Uint8Array(size)
  let filled = 0
  for await (const chunk of unpacked(file, entry, entry.size)) {
    sum = crc32(chunk, sum)
    length += chunk.length
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + size - filled)
      part.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < size) continue
      yield part
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
  if (sum !== entry.crc32 || length !== entry.size) throw new BackupProblem(damaged)
}

const partSize = 500_000

/**
 * The lines of a table in parts for sending; checks at the end that nothing is missing, added or changed.
 */
export async function* partsOf(
  { file, entries }: OpenBackup,
  table: BackupTable,
): AsyncGenerator<string> {
  const entry = entries.get(fileOf(table))
  if (!entry) throw new BackupProblem(damaged)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [text, sum, rows] = ['', 0, 0]
  for await (const chunk of unpacked(file, entry, table.bytes)) {
    sum = crc32(chunk, sum)
    text += decode(decoder, chunk)
    if (text.length < partSize) continue
    const end = text.lastIndexOf('\n')
    if (end < 0) continue
    const lines = text.slice(0, end)
    rows += lines.split('\n').length
    yield lines
    text = text.slice(end + 1)
  }
  const rest = text.replace(/\n$/, '')
  if (rest !== '') {
    rows += rest.split('\n').length
    yield rest
  }
  if (sum !== table.crc32 || rows !== table.rows) throw new BackupProblem(damaged)
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw new BackupProblem(damaged)
  }
}

/** Inflates in small steps, because a chunk may unpack to very much. */
const stepSize = 16_384

async function* unpacked(
  file: File,
  { offset, packedSize, method }: ZipEntry,
  maxSize: number,
): AsyncGenerator<Uint8Array> {
  const header = headerLength(await bytesOf(file, offset, offset + localHeaderSize))
  if (header === null || (method !== 0 && method !== 8)) throw new BackupProblem(damaged)
  const [start, end] = [offset + header, offset + header + packedSize]
  if (end > file.size) throw new BackupProblem(damaged)
  let size = 0
  let ready: Uint8Array[] = []
  const inflate = new Inflate((chunk) => {
    size += chunk.length
    if (size > maxSize)
      throw new BackupProblem('This file is larger than it claims and was rejected.')
    ready.push(chunk)
  })
  for (let at = start; at < end; at += stepSize) {
    const packed = await bytesOf(file, at, Math.min(end, at + stepSize))
    if (method === 0) ready.push(packed)
    else push(inflate, packed, at + stepSize >= end)
    yield* ready
    ready = []
  }
}

function push(inflate: Inflate, packed: Uint8Array, isLast: boolean): void {
  try {
    inflate.push(packed, isLast)
  } catch (error) {
    throw error instanceof BackupProblem ? error : new BackupProblem(damaged)
  }
}

async function startsAsZip(file: File): Promise<boolean> {
  const [p, k] = await bytesOf(file, 0, 2)
  return p === 0x50 && k === 0x4b
}

async function bytesOf(file: File, from: number, to: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(from, to).arrayBuffer())
}
