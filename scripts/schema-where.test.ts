import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { foldedUpTo } from '#server/backend/former-histories.ts'
import { migrationsFolder } from '#server/backend/migrations.ts'
import { definitions } from './schema-where.mjs'

test('the last definition of each name, also of renamed ones, and none of dropped ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'solo-schema-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const first = [
    'create table public.deals (',
    'create function private.page(kind text) returns void',
    'create function private.told() returns void',
    'create function private.gone() returns void',
    '-- Makes private.deal_cards and',
    '--   private.task_cards.',
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
    'private.deal_cards': ['1_first.sql:5'],
    'private.task_cards': ['1_first.sql:6'],
    'private.page': ['1_first.sql:2', '2_later.sql:2'],
    'private.reported': ['1_first.sql:3', '2_later.sql:3'],
  })
})

/** What a file defines, as "function private.page", "trigger tidy on public.deals", "comment table public.deals". */
function definedIn(text: string): string[] {
  const named =
    /^(?:create (?:or replace )?(?:unique )?(function|table|view|type|index)|(comment) on (\w+)) ([\w."]+)/gm
  const onTable = /^create (?:constraint )?(trigger|policy) ("[^"]+"|\w+)\s[^;]*?\bon ([\w.]+)/gm
  return [
    ...Array.from(text.matchAll(named), ([, ...parts]) => parts.filter(Boolean).join(' ')),
    ...Array.from(text.matchAll(onTable), ([, kind, name, table]) => `${kind} ${name} on ${table}`),
  ]
}

test('the files by concept define each thing once, and take nothing back', async () => {
  const files = (await readdir(migrationsFolder)).filter((file) => file.slice(0, 14) <= foldedUpTo)
  const texts = await Promise.all(
    files.map((file) => readFile(join(migrationsFolder, file), 'utf8')),
  )
  const all = texts.flatMap(definedIn)
  expect(all.length).toBeGreaterThan(1500)
  expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([])
  // Functions that write functions have such lines in their texts, with a place for the name.
  const dropped = texts.flatMap((text) => text.match(/^drop .*/gm) ?? [])
  expect(dropped.filter((line) => !line.includes('%'))).toEqual([])
})
