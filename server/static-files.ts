import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { chooseEncoding, type Encoding } from './accept-encoding.ts'

/** A file in every form we can send, ready in memory. */
export type ServedFile = { type: string; cacheControl: string; forms: Form[] }
type Form = { encoding: Encoding; bytes: Uint8Array<ArrayBuffer>; etag: string }

const suffixes = { '.br': 'br', '.gz': 'gzip' } as const

/**
 * Reads the built client into memory, once. Only the keys of this map are served: no path of a request reaches the
 * file system, so none can lead out of the folder. Links are not followed and hidden files are left out. The
 * client takes a few megabytes.
 */
export function loadFiles(folder: string): Map<string, ServedFile> {
  const paths = new Set(listFiles(folder, ''))
  const files = new Map<string, ServedFile>()
  for (const path of paths) {
    if (isCompressedForm(path, paths)) continue
    const forms: Form[] = []
    for (const [suffix, encoding] of Object.entries(suffixes)) {
      if (paths.has(path + suffix)) forms.push(form(encoding, read(folder, path + suffix)))
    }
    forms.push(form('identity', read(folder, path)))
    files.set(path, {
      type: getMimeType(path) ?? 'application/octet-stream',
      // Names under /assets/ carry a hash of the content: a new content is a new name.
      cacheControl: path.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
      forms,
    })
  }
  return files
}

/** One form of a file; its tag changes with the bytes that are sent. */
export function form(encoding: Encoding, bytes: Uint8Array<ArrayBuffer>): Form {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { encoding, bytes, etag: `"${hash}"` }
}

/** Sends the encoding that the client prefers, or 304 when the client has the file. */
export function sendFile(c: Context, file: ServedFile): Response {
  const encoding = chooseEncoding(
    c.req.header('accept-encoding'),
    file.forms.map((each) => each.encoding),
  )
  const chosen = file.forms.find((each) => each.encoding === encoding)
  if (!chosen) throw new Error('Every file has a plain form')
  const headers: Record<string, string> = {
    'Cache-Control': file.cacheControl,
    ETag: chosen.etag,
    Vary: 'Accept-Encoding',
  }
  if (isKnown(c.req.header('if-none-match'), chosen.etag)) return c.body(null, 304, headers)
  headers['Content-Type'] = file.type
  if (file.type.startsWith('video/')) return sendPart(c, chosen, headers)
  headers['Content-Length'] = String(chosen.bytes.byteLength)
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding
  return c.body(chosen.bytes, 200, headers)
}

/** Browsers request videos in parts: some play them only so, and seeking needs it. */
function sendPart(c: Context, { bytes }: Form, headers: Record<string, string>): Response {
  headers['Accept-Ranges'] = 'bytes'
  const part = readRange(c.req.header('range'), bytes.byteLength)
  if (part === 'unsatisfiable') {
    return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${bytes.byteLength}` })
  }
  if (!part) {
    return c.body(bytes, 200, { ...headers, 'Content-Length': String(bytes.byteLength) })
  }
  const { from, to } = part
  return c.body(bytes.subarray(from, to + 1), 206, {
    ...headers,
    'Content-Length': String(to - from + 1),
    'Content-Range': `bytes ${from}-${to}/${bytes.byteLength}`,
  })
}

/** One range of bytes, both ends included. Several ranges, or a malformed header, mean the whole file. */
function readRange(
  header: string | undefined,
  size: number,
): { from: number; to: number } | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  // Without a first byte the number counts from the end.
  const from = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && first !== '' && Number(last) < Number(first)) return null
  return from >= size || (first === '' && Number(last) === 0) ? 'unsatisfiable' : { from, to }
}

/** True when an If-None-Match names this tag. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

function isCompressedForm(path: string, paths: Set<string>): boolean {
  return Object.keys(suffixes).some(
    (suffix) => path.endsWith(suffix) && paths.has(path.slice(0, -suffix.length)),
  )
}

function listFiles(folder: string, prefix: string): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}/${entry.name}`
    if (entry.name.startsWith('.')) return []
    if (entry.isDirectory()) return listFiles(folder, path)
    return entry.isFile() ? [path] : []
  })
}

function read(folder: string, path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(folder, path)))
}
