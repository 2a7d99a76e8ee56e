import { strToU8, type Zippable, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { crc32 } from './crc32.ts'
import { bytesIn, openBackup, partsOf } from './read-backup.ts'

const cutOff = 'This file is damaged or incomplete. Get a new copy of the backup and try again.'

/** A backup of contacts, with whatever is to be wrong about it. */
function zipped(
  lines: string[],
  wrong: object = {},
  files: Zippable = {},
  reported: object = {},
): Uint8Array {
  const bytes = strToU8(lines.map((line) => `${line}\n`).join(''))
  const table = { kind: 'contacts', rows: lines.length, bytes: bytes.length, crc32: crc32(bytes) }
  const manifest = {
    format: 'solo-crm-backup',
    version: 1,
    app_version: '0.1.0',
    made_at: '2026-11-15T12:00:00.000Z',
    account: { id: 'c0000000-0000-4000-8000-000000000001', email: 'ada@example.com' },
    tables: [{ ...table, ...wrong }],
    ...reported,
  }
  return zipSync({
    'contacts.jsonl': bytes,
    'backup.json': strToU8(JSON.stringify(manifest)),
    ...files,
  })
}

function fileOf(bytes: Uint8Array): File {
  return new File([new Uint8Array(bytes)], 'backup.zip')
}

async function linesOf(bytes: Uint8Array): Promise<string[]> {
  const backup = await openBackup(fileOf(bytes))
  const lines: string[] = []
  for (const table of backup.manifest.tables) {
    for await (const part of partsOf(backup, table)) lines.push(...part.split('\n'))
  }
  return lines
}

test('every line comes out as it went in, however many parts it takes', async () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `{"id":${n},"name":"Ünïcode 😀 ${n}"}`)
  expect(await linesOf(zipped(lines))).toEqual(lines)
  expect(await linesOf(zipped([]))).toEqual([])
})

test.each<[string, () => Uint8Array, string]>([
  [
    'nothing',
    () => new Uint8Array(),
    'This isn’t a backup. Choose a zip file downloaded from Solo CRM.',
  ],
  [
    'a picture',
    () => strToU8('\u0089PNG and more of it'),
    'This isn’t a backup. Choose a zip file downloaded from Solo CRM.',
  ],
  [
    'a zip of something else',
    () => zipSync({ 'a.txt': strToU8('x') }),
    'This zip file isn’t a Solo CRM backup.',
  ],
  ['one cut in half', () => half(zipped(['{}'.repeat(5000)])), cutOff],
  ['a row too few', () => zipped(['{}', '{}'], { rows: 3 }), cutOff],
  ['a changed byte', () => zipped(['{}'], { crc32: 1 }), cutOff],
  ['a size that is not true', () => zipped(['{}'], { bytes: 1 }), cutOff],
  ['a table without its file', () => zipped(['{}'], { kind: 'deals' }), cutOff],
  ['text that is none', () => badText(), cutOff],
])('%s: said in words', async (_case, bytes, words) => {
  await expect(linesOf(bytes())).rejects.toThrow(words)
})

test('what unpacks to more than it says is refused before it has filled the memory', async () => {
  const bytes = zipped(['x'.repeat(5_000_000)], { bytes: 10 })
  const view = new DataView(bytes.buffer)
  // The directory claims, as the manifest does, that the first file is small.
  for (let at = 0; at < bytes.length - 46; at += 1) {
    const isEntry = view.getUint32(at, true) === 0x02_01_4b_50
    if (isEntry && bytes[at + 46] === 'c'.charCodeAt(0)) view.setUint32(at + 24, 10, true)
  }
  await expect(linesOf(bytes)).rejects.toThrow(
    'This file is larger than it claims and was rejected.',
  )
})

function half(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length / 2)
}

function badText(): Uint8Array {
  const bytes = Uint8Array.of(0xff, 0xfe, 0x0a)
  const wrong = { rows: 1, bytes: 3, crc32: crc32(bytes) }
  return zipped([], wrong, { 'contacts.jsonl': bytes })
}

describe('what files hold', () => {
  const content = Uint8Array.from({ length: 2500 }, (_, at) => at % 251)
  const name = `files/${'a'.repeat(64)}/offer.pdf`
  const withFile = (files: object, level: 0 | 6 = 0) =>
    zipped(['{}'], {}, { [name]: [content, { level }] }, { version: 3, files })

  async function parts(bytes: Uint8Array): Promise<number[][]> {
    const backup = await openBackup(fileOf(bytes))
    const read: number[][] = []
    for (const each of backup.contents) {
      for await (const part of bytesIn(backup, each, 1000)) read.push([...part])
    }
    return read
  }

  test.each([0, 6] as const)(
    'comes out in parts as it went in, packed or not (%i)',
    async (level) => {
      const read = await parts(withFile({ count: 1, bytes: 2500 }, level))
      expect(read.map(({ length }) => length)).toEqual([1000, 1000, 500])
      expect(read.flat()).toEqual([...content])
    },
  )

  test.each([
    ['one is missing', { count: 2, bytes: 2500 }],
    ['one is shorter', { count: 1, bytes: 2600 }],
  ])('is refused where %s', async (_, files) => {
    await expect(parts(withFile(files))).rejects.toThrow(cutOff)
  })

  test('is refused where it was changed', async () => {
    const bytes = withFile({ count: 1, bytes: 2500 })
    // Somewhere within the content, which stands in the zip as it is.
    const at = bytes.findIndex((_, place) =>
      content.slice(0, 50).every((each, n) => bytes[place + n] === each),
    )
    bytes[at + 20] = 255
    await expect(parts(bytes)).rejects.toThrow(cutOff)
  })
})
