import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { definitions } from './schema-where.mjs'

test('the last definition of each name, also of renamed ones, and none of dropped ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'solo-schema-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const first = [
    'create table public.deals (',
    'create function private.page(kind text) returns void',
    'create function private.told() returns void',
    'create function private.gone() returns void',
  ]
  const second = [
    '-- Again.',
    'create or replace function private.page(kind text) returns void',
    'alter function private.told() rename to reported;',
    '  drop function private.gone();',
  ]
  await writeFile(join(folder, '2_later.sql'), second.join('\n'))
  await writeFile(join(folder, '1_first.sql'), first.join('\n'))
  expect(Object.fromEntries(definitions(folder))).toEqual({
    'public.deals': ['1_first.sql:1'],
    'private.page': ['1_first.sql:2', '2_later.sql:2'],
    'private.reported': ['1_first.sql:3', '2_later.sql:3'],
  })
})
