import { expect, test } from 'vitest'
import {
  BackupProblem,
  backupCounts,
  contentName,
  fileInLine,
  hashIn,
  readManifest,
  versionFor,
} from './backup.ts'

const manifest = {
  format: 'solo-crm-backup',
  version: 2,
  app_version: '0.1.0',
  made_at: '2026-11-15T12:00:00.000Z',
  account: { id: 'c0000000-0000-4000-8000-000000000001', email: 'ada@example.com' },
  tables: [{ kind: 'contacts', rows: 1, bytes: 20, crc32: 7 }],
}

test('a manifest is read as it was written', () => {
  expect(readManifest(JSON.stringify(manifest))).toEqual(manifest)
  const older = { ...manifest, version: 1 }
  expect(readManifest(JSON.stringify(older))).toEqual(older)
})

test.each([
  ['no JSON', '{"format":', 'This file is damaged: its manifest can’t be read.'],
  ['another format', '{"format":"zip"}', 'This zip file isn’t a Solo CRM backup.'],
  [
    'a newer version, whatever it holds',
    '{"format":"solo-crm-backup","version":4}',
    'This backup was made by a newer version of Solo CRM. Update this one, then try again.',
  ],
  [
    'no tables',
    JSON.stringify({ ...manifest, tables: null }),
    'This file is damaged: its manifest can’t be read.',
  ],
  [
    'a table with a way out',
    JSON.stringify({ ...manifest, tables: [{ ...manifest.tables[0], kind: '../x' }] }),
    'This file is damaged: its manifest can’t be read.',
  ],
  [
    'too much',
    JSON.stringify({ ...manifest, tables: [{ ...manifest.tables[0], bytes: 3e9 }] }),
    'This backup is larger than 2 GB and can’t be restored here.',
  ],
])('%s: said in words', (_case, text, words) => {
  expect(() => readManifest(text)).toThrow(new BackupProblem(words))
})

test('what a backup holds, in words', () => {
  const rows: Record<string, number> = { contacts: 1204, companies: 1, changes: 9000 }
  expect(backupCounts((kind) => rows[kind] ?? 0)).toEqual(['1,204 contacts', '1 company'])
})

test('what files hold is found by its hash, and by people by its name', () => {
  const hash = 'a'.repeat(64)
  expect(contentName(hash, 'offer.pdf')).toBe(`files/${hash}/offer.pdf`)
  expect(contentName(hash, '../x')).toBe(`files/${hash}/.._x`)
  expect(contentName(hash, '')).toBe(`files/${hash}/file`)
  expect(hashIn(contentName(hash, 'offer.pdf'))).toBe(hash)
  expect(['files.jsonl', 'files/x/y', `files/${hash}`].map(hashIn)).toEqual([null, null, null])
})

test('the name of a file stands in its row, or in what the trash has of it', () => {
  const file = { sha256: 'ab', name: 'a.pdf' }
  expect(fileInLine(JSON.stringify(file))).toEqual(file)
  const gone = { table_name: 'files', verb: 'delete', before: { ...file, size: 1 } }
  expect(fileInLine(JSON.stringify(gone))).toEqual(file)
  expect(fileInLine(JSON.stringify({ ...gone, table_name: 'notes' }))).toBeNull()
})

test('a backup without files is one that older programs read', () => {
  expect([versionFor(false), versionFor(true)]).toEqual([2, 3])
})
