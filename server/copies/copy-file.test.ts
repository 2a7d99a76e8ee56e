import fs from 'node:fs'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../test-server.ts'
import { removeOldCopies } from './copies-folder.ts'
import { readManifest, unpackCopy, writeCopy } from './copy-file.ts'

const about = { kind: 'embedded', lastMigration: '20261115000900' } as const

/** A copy of a few files, one of them longer than what is read at once, and one empty folder. */
async function makeCopy(folder = temporaryFolder()) {
  const database = join(folder, 'database')
  await mkdir(join(database, 'pg_notify'), { recursive: true })
  await writeFile(join(database, 'PG_VERSION'), '17\n')
  await writeFile(join(database, 'big'), Buffer.alloc(300_001, 'x'))
  await writeFile(join(folder, 'keys.json'), '{}')
  const file = join(folder, 'copies/copy.tar.gz')
  const parts = ['database', 'keys.json', 'outbox'].map((name) => ({
    name,
    path: join(folder, name),
  }))
  await writeCopy(file, about, parts)
  return { folder, file, parts }
}

type Opened = (error: NodeJS.ErrnoException | null, handle: number) => void

/** The next file takes a moment to be opened, as on a busy machine; resolves when it is. */
function openSlowly(): Promise<void> {
  const { open } = fs
  return new Promise((resolve) => {
    function later(path: string, flags: string, mode: number, tell: Opened): void {
      setTimeout(() => {
        open(path, flags, mode, (error, handle) => {
          tell(error, handle)
          resolve()
        })
      }, 50)
    }
    // Of the ways to call it, this is how a stream does.
    vi.spyOn(fs, 'open').mockImplementationOnce(later as typeof open)
  })
}

describe('a copy', () => {
  test('gives back what it was made of, and only its owner can read it', async () => {
    const { file } = await makeCopy()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readManifest(file)).toMatchObject({ ...about, bytes: 300_006 })
    const place = temporaryFolder()
    await unpackCopy(file, place)
    const names = await readdir(place, { recursive: true })
    expect(names.sort()).toEqual([
      'database',
      'database/PG_VERSION',
      'database/big',
      'database/pg_notify',
      'keys.json',
    ])
    expect(await readFile(join(place, 'database/big'))).toEqual(Buffer.alloc(300_001, 'x'))
  })

  test('never takes the place of another, and leaves nothing behind when it fails', async () => {
    const { file, folder, parts } = await makeCopy()
    await expect(writeCopy(file, about, parts)).rejects.toThrow(`${file} already exists.`)
    await expect(writeCopy(join(file, 'x'), about, parts)).rejects.toThrow(
      `could not be written: its folder ${file} cannot be made`,
    )
    const stopped = AbortSignal.abort()
    const second = join(folder, 'copies/second.tar.gz')
    const opened = openSlowly()
    await expect(writeCopy(second, about, parts, stopped)).rejects.toThrow(/abort/i)
    await opened
    expect(await readdir(join(folder, 'copies'))).toEqual(['copy.tar.gz'])
  })

  test('that is cut off or changed is refused as damaged, wherever that happened', async () => {
    const { file } = await makeCopy()
    const { size } = await stat(file)
    const whole = await readFile(file)
    for (const length of [size - 1, size - 9, Math.floor(size / 2)]) {
      await writeFile(file, whole)
      await truncate(file, length)
      await expect(unpackCopy(file, temporaryFolder())).rejects.toThrow('is damaged')
    }
    const unzipped = gunzipSync(whole)
    unzipped[600] = 0xff
    unzipped[1100] = 0xff
    await writeFile(file, gzipSync(unzipped))
    await expect(unpackCopy(file, temporaryFolder())).rejects.toThrow(/is damaged|is no copy/)
  })

  test('of something else, or with a name that leads elsewhere, is refused', async () => {
    const { file } = await makeCopy()
    const inner = gunzipSync(await readFile(file))
    await writeFile(file, 'PK\x03\x04 a zip file')
    await expect(readManifest(file)).rejects.toThrow('is no copy made by "npm run backup"')
    await writeFile(file, gzipSync('Hello'))
    await expect(readManifest(file)).rejects.toThrow('is damaged')
    await expect(readManifest(`${file}-nowhere`)).rejects.toThrow('There is no file')
    await expect(readManifest(temporaryFolder())).rejects.toThrow('is a folder, not a copy')
    const at = inner.indexOf('database/PG_VERSION')
    inner.write('../abase/PG_VERSION', at)
    const header = inner.subarray(at, at + 512)
    const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0)
    inner.write(sum.toString(8).padStart(6, '0'), at + 148)
    await writeFile(file, gzipSync(inner))
    await expect(unpackCopy(file, temporaryFolder())).rejects.toThrow('is damaged')
  })

  test('of a newer form is refused with its version', async () => {
    const { file } = await makeCopy()
    const inner = gunzipSync(await readFile(file))
    const at = inner.indexOf('"format": 1')
    inner.write('"format": 2', at)
    await writeFile(file, gzipSync(inner))
    await expect(readManifest(file)).rejects.toThrow('made by a newer version of Solo CRM (0.1.0)')
  })

  test('made before an update goes with the fourth after it; others stay', async () => {
    const dataDir = temporaryFolder()
    const folder = join(dataDir, 'backups')
    await mkdir(folder)
    const automatic = [1, 2, 3, 4, 5].map((day) => {
      return `before-2026111500${9 - day}000-2026-11-0${day}T00-00-00-000Z.tar.gz`
    })
    const own = 'solo-crm-2026-01-01T00-00-00-000Z.tar.gz'
    for (const name of [...automatic, own]) await writeFile(join(folder, name), '')
    await removeOldCopies(dataDir)
    expect((await readdir(folder)).sort()).toEqual([...automatic.slice(2), own].sort())
  })
})
