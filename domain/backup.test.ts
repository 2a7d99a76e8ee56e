import { expect, test } from 'vitest'
import { BackupProblem, backupCounts, readManifest } from './backup.ts'

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
    '{"format":"solo-crm-backup","version":3}',
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
