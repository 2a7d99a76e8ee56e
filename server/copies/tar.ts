import { createReadStream } from 'node:fs'

/** One thing to pack: a folder, or a file with its content on disk or in memory. */
export type TarSource = { name: string } & (
  | { kind: 'folder' }
  | { kind: 'file'; path: string; size: number }
  | { kind: 'text'; text: string }
)

/** An unpacked entry; its content must be read before the next entry, or is skipped. */
export type TarEntry = {
  name: string
  isFolder: boolean
  content: () => AsyncGenerator<Uint8Array, void>
}

/** The archive is damaged or incomplete. */
export class BrokenTar extends Error {
  override name = 'BrokenTar'
}

const block = 512
const longestName = 100

/**
 * Packs a plain tar archive. Our own code rather than a package, because a copy needs so little: folders, files
 * below 8 GB, names below 100 characters.
 */
export async function* packTar(sources: Iterable<TarSource>): AsyncGenerator<Uint8Array, void> {
  for (const source of sources) {
    if (source.kind === 'folder') {
      yield header(`${source.name}/`, '5', 0)
      continue
    }
    const isText = source.kind === 'text'
    const size = isText ? Buffer.byteLength(source.text) : source.size
    yield header(source.name, '0', size)
    let written = 0
    for await (const chunk of isText ? [Buffer.from(source.text)] : createReadStream(source.path)) {
      written += chunk.length
      yield chunk
    }
    if (written !== size) throw new Error(`${source.name} changed while it was copied.`)
    yield Buffer.alloc(padding(size))
  }
  yield Buffer.alloc(2 * block)
}

/** Unpacks an archive and reads the input to its end, so that truncated compression is noticed. */
export async function* unpackTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void> {
  const reader = createReader(bytes)
  for (;;) {
    const { name, type, size } = readHeader(await reader.exactly(block))
    if (name === '') break
    let left = size
    async function* content(): AsyncGenerator<Uint8Array, void> {
      while (left > 0) {
        const chunk = await reader.upTo(left)
        left -= chunk.length
        yield chunk
      }
    }
    yield { name: name.replace(/\/$/, ''), isFolder: type === '5', content }
    for await (const _ of content()) {
      // What nobody read is passed over.
    }
    await reader.exactly(padding(size))
  }
  await reader.toEnd()
}

function padding(size: number): number {
  return (block - (size % block)) % block
}

function header(name: string, type: '0' | '5', size: number): Buffer {
  if (Buffer.byteLength(name) > longestName) throw new Error('A name is too long to be copied.')
  const bytes = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  bytes.write(name, 0)
  bytes.write(octal(type === '5' ? 0o700 : 0o600, 7), 100)
  bytes.write(octal(0, 7), 108)
  bytes.write(octal(0, 7), 116)
  bytes.write(octal(size, 11), 124)
  bytes.write(octal(0, 11), 136)
  bytes.write(type, 156)
  bytes.write('ustar\x0000', 257)
  bytes.write(`${octal(checksum(bytes), 6)} `, 148)
  return bytes
}

/** The end of an archive is a block of zeros: an entry without a name. */
function readHeader(bytes: Buffer): { name: string; type: string; size: number } {
  if (bytes.every((byte) => byte === 0)) return { name: '', type: '0', size: 0 }
  const text = (from: number, length: number) =>
    bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const type = text(156, 1)
  const size = Number.parseInt(text(124, 12), 8)
  const isWhole = Number.parseInt(text(148, 8), 8) === checksum(bytes)
  if (!isWhole || !['0', '5'].includes(type) || !Number.isSafeInteger(size)) throw new BrokenTar()
  return { name: text(0, longestName), type, size }
}

/** The sum of all bytes, with the place of the sum itself taken as spaces. */
function checksum(bytes: Buffer): number {
  return bytes.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}

function createReader(bytes: AsyncIterable<Uint8Array>) {
  const chunks = bytes[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)

  /** At least one byte, at most this many. */
  async function upTo(limit: number): Promise<Buffer> {
    while (rest.length === 0) {
      const next = await chunks.next()
      if (next.done) throw new BrokenTar()
      rest = Buffer.from(next.value)
    }
    const taken = rest.subarray(0, limit)
    rest = rest.subarray(taken.length)
    return taken
  }

  return {
    upTo,
    async exactly(length: number): Promise<Buffer> {
      const parts: Buffer[] = []
      for (let left = length; left > 0; ) {
        const part = await upTo(left)
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts)
    },
    async toEnd(): Promise<void> {
      while (!(await chunks.next()).done);
    },
  }
}
