import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderError, prepareFolder } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { keysInFolder } from './keys.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'solo-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a data folder', () => {
  test('on a full disk stops the start before anything is written', async () => {
    const disk = { freeBytes: async () => 5_000_000 }
    await expect(prepareFolder(folder, disk)).rejects.toThrow(
      `The disk of ${folder} is full: Solo CRM needs at least 128 MB free. Make room, or set DATA_DIR to a folder on another disk.`,
    )
    expect(await readdir(folder)).toEqual([])
  })

  const rightsOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

  test('that others could read is closed to them', async () => {
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'database'), { mode: 0o755 })
    for (const key of ['keys.json', 'mail.key']) await writeFile(join(folder, key), '')
    const database = await prepareFolder(folder)
    expect(database).toBe(join(folder, 'database'))
    expect([await rightsOf(folder), await rightsOf(database)]).toEqual(['700', '700'])
  })

  test('that does not exist yet is made closed', async () => {
    const database = await prepareFolder(join(folder, 'new/data'))
    expect(await rightsOf(join(folder, 'new/data'))).toBe('700')
    expect(await rightsOf(database)).toBe('700')
  })

  test('that holds other things keeps its rights; the database in it is closed', async () => {
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'somebody-elses.txt'), '')
    const database = await prepareFolder(folder)
    expect([await rightsOf(folder), await rightsOf(database)]).toEqual(['755', '700'])
  })

  test.each([
    ['ENOSPC', 'the disk is full'],
    ['EROFS', 'it cannot be written to'],
    ['EACCES', 'this user may not use it'],
    ['ENOTDIR', 'it is not a folder'],
    ['ENOENT', 'this folder cannot be made'],
  ])('that fails with %s is explained', (code, words) => {
    expect(folderError('/x', Object.assign(new Error('no'), { code })).message).toMatch(
      `DATA_DIR /x: ${words}`,
    )
  })

  // Linux has folders in which nobody can make one. Bounded, because a start that hangs says nothing.
  test.runIf(existsSync('/proc/self')).each([
    ['/proc/nope', 'this folder cannot be made. Look whether its disk is there'],
    ['/dev/null', 'it is not a folder. Rename that file'],
    ['/dev/null/data', 'it is not a folder. Rename that file'],
    [
      '/sys/nope',
      '(this user may not use it. Give it the right to write there|it cannot be written to. Mount it writable)',
    ],
  ])(
    'that cannot be, such as %s, stops the start in one line',
    async (path, reason) => {
      const line = `^DATA_DIR ${path}: ${reason}, or set DATA_DIR to another folder\\.$`
      await expect(prepareFolder(path)).rejects.toThrow(new RegExp(line))
    },
    20_000,
  )

  test('is held by one process at a time, however long its path', async () => {
    const deep = join(folder, 'a'.repeat(100), 'b'.repeat(100))
    await prepareFolder(deep)
    const unlock = await lockFolder(deep)
    await expect(lockFolder(deep)).rejects.toThrow(`Another Solo CRM is running on ${deep}.`)
    await unlock()
    await (await lockFolder(deep))()
  })

  test('is free when what holds it is only a file left behind', async () => {
    await writeFile(join(folder, 'lock-3'), '')
    await (await lockFolder(folder))()
  })

  test.each([1, 2, 3, 4, 5])(
    'is given to one of many that start at the same time (%i)',
    async () => {
      await writeFile(join(folder, 'lock-3'), '')
      const starts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
      const winners = starts.filter((start) => start.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      for (const winner of winners) await winner.value()
    },
  )
})

describe('the keys of a data folder', () => {
  test('are made once and read afterwards', async () => {
    const keys = await keysInFolder(folder)
    expect(keys.publishableKey).toMatch(/^sb_publishable_/)
    expect(await keysInFolder(folder)).toEqual(keys)
  })

  test.each(['', '{', '{}', '{"jwtSecret":"short"}'])(
    '%j instead of them is told',
    async (text) => {
      await writeFile(join(folder, 'keys.json'), text)
      await expect(keysInFolder(folder)).rejects.toThrow('keys.json is damaged.')
    },
  )
})
