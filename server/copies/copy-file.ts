import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { version as appVersion } from '#package.json'
import { makeFolder } from '../make-folder.ts'
import { StartError } from '../start-error.ts'
import { BrokenTar, packTar, type TarEntry, type TarSource, unpackTar } from './tar.ts'

const manifestName = 'manifest.json'
const format = 1

const manifestSchema = z.object({
  product: z.literal('Solo CRM'),
  format: z.number().int().positive(),
  appVersion: z.string(),
  /** How the installation keeps its data; a copy of one kind cannot be restored into the other. */
  kind: z.enum(['embedded', 'postgres']),
  lastMigration: z.string().regex(/^\d{14}$/),
  madeAt: z.iso.datetime(),
  /** The unpacked size. */
  bytes: z.number().int().nonnegative(),
})

/** The manifest, the first entry of a copy. */
export type Manifest = z.infer<typeof manifestSchema>

/** A file or folder on disk, and its name in the copy. */
export type Part = { name: string; path: string }

/** The names that a copy may contain; none leads out of the folder that it is unpacked into. */
const knownNames =
  /^(?:keys\.json|database\.dump|outbox(?:\/[\w-][\w.-]*)?|database(?:\/[\w-][\w.-]*)*)$/

/**
 * Writes a copy of an installation as one file that only its owner can read. It has another name until it is
 * complete, so that nobody takes a partial file for a copy.
 */
export async function writeCopy(
  file: string,
  about: Pick<Manifest, 'kind' | 'lastMigration'>,
  parts: Part[],
  signal?: AbortSignal,
): Promise<Manifest> {
  const sources = (await Promise.all(parts.map(sourcesOf))).flat()
  const bytes = sources.reduce((sum, one) => sum + (one.kind === 'file' ? one.size : 0), 0)
  const madeAt = new Date().toISOString()
  const manifest: Manifest = { product: 'Solo CRM', format, appVersion, ...about, madeAt, bytes }
  const text = JSON.stringify(manifest, null, 2)
  const folder = dirname(file)
  const draft = join(folder, `.${basename(file)}.${randomBytes(4).toString('hex')}.part`)
  let closed = Promise.resolve()
  try {
    await makeFolder(folder).catch((error: unknown) => {
      throw copyError(file, error, `its folder ${folder} cannot be made: `)
    })
    if (await stat(file).catch(() => null)) throw new StartError(`${file} already exists.`)
    const written = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    closed = new Promise((resolve) => written.once('close', () => resolve()))
    await pipeline(
      Readable.from(packTar([{ name: manifestName, kind: 'text', text }, ...sources])),
      createGzip({ level: constants.Z_BEST_SPEED }),
      written,
      ...(signal ? [{ signal }] : []),
    )
    await rename(draft, file)
  } catch (error) {
    // Wait for the file to be opened or closed: otherwise it could be created after its removal.
    await closed
    await rm(draft, { force: true }).catch(() => {})
    throw error instanceof StartError || signal?.aborted ? error : copyError(file, error)
  }
  return manifest
}

/** Reads the manifest, or throws a sentence about why the file is no copy. */
export async function readManifest(file: string): Promise<Manifest> {
  return withEntries(file, (entries) => manifestIn(file, entries))
}

/** Unpacks a copy into an empty folder, or throws a sentence about why the copy is incomplete. */
export async function unpackCopy(file: string, folder: string): Promise<void> {
  await withEntries(file, async (entries) => {
    await manifestIn(file, entries)
    for await (const { name, isFolder, content } of entries) {
      if (!knownNames.test(name)) throw damaged(file)
      const path = join(folder, name)
      await mkdir(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 })
      if (!isFolder) await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    }
  })
}

async function manifestIn(file: string, entries: AsyncGenerator<TarEntry>): Promise<Manifest> {
  const first = await entries.next()
  if (first.done || first.value.name !== manifestName) throw foreign(file)
  const chunks: Uint8Array[] = []
  for await (const chunk of first.value.content()) chunks.push(chunk)
  const parsed = manifestSchema.safeParse(asJson(Buffer.concat(chunks).toString()))
  if (!parsed.success) throw foreign(file)
  if (parsed.data.format > format) throw newer(file, parsed.data)
  return parsed.data
}

async function withEntries<T>(
  file: string,
  work: (entries: AsyncGenerator<TarEntry>) => Promise<T>,
): Promise<T> {
  const bytes = createReadStream(file)
  const unzipped = createGunzip()
  // The reader gets the error of the stream that failed first.
  const reading = pipeline(bytes, unzipped).catch(() => {})
  try {
    return await work(unpackTar(unzipped))
  } catch (error) {
    throw explain(file, error)
  } finally {
    bytes.destroy()
    unzipped.destroy()
    await reading
  }
}

function explain(file: string, error: unknown): unknown {
  const isUnreadable = error instanceof Error && 'path' in error && error.path === file
  const code = codeOf(error)
  if (isUnreadable && code === 'ENOENT') return new StartError(`There is no file ${file}.`)
  if (isUnreadable) return new StartError(`${file} cannot be read (${code}).`)
  // This error occurs on reading, and has no path.
  if (code === 'EISDIR') return new StartError(`${file} is a folder, not a copy.`)
  if (code === 'Z_DATA_ERROR' && /header/.test(String(error))) return foreign(file)
  return error instanceof BrokenTar || code.startsWith('Z_') ? damaged(file) : error
}

/** The error for a copy made by a newer version. */
export function newer(file: string, { appVersion: version }: Manifest): StartError {
  return new StartError(
    `${file} was made by a newer version of Solo CRM (${version}). Restore it with that version.`,
  )
}

/** The error for a copy of a database that this version cannot update. */
export function older(file: string): StartError {
  return new StartError(
    `${file} was made by an older version of Solo CRM than this one can update from. Restore it with the version before this one, start that once, and then this one. Nothing was changed.`,
  )
}

function damaged(file: string): StartError {
  return new StartError(`${file} is damaged: it is not whole. Nothing was changed.`)
}

function foreign(file: string): StartError {
  return new StartError(
    `${file} is no copy made by "npm run backup". (The backup of one account, a zip file, is restored in the app: Settings, Data Management.) Nothing was changed.`,
  )
}

function copyError(file: string, error: unknown, what = ''): StartError {
  const reason = codeOf(error) === 'ENOSPC' ? 'the disk is full' : codeOf(error) || String(error)
  return new StartError(`The copy ${file} could not be written: ${what}${reason}.`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The files of a part; mails may be deleted meanwhile, with their account. */
async function sourcesOf({ name, path }: Part): Promise<TarSource[]> {
  const found = await lstat(path).catch(() => null)
  if (found?.isFile()) return [{ name, kind: 'file', path, size: found.size }]
  if (!found?.isDirectory()) return []
  const names = (await readdir(path)).filter((inner) => !inner.startsWith('.')).sort()
  const inner = names.map((one) => sourcesOf({ name: `${name}/${one}`, path: join(path, one) }))
  return [{ name, kind: 'folder' }, ...(await Promise.all(inner)).flat()]
}
