import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'
import { temporaryFolder } from './test-server.ts'

test('makes what is missing above it too, closed, also when several ask at once', async () => {
  const top = join(temporaryFolder(), 'a')
  const folder = join(top, 'b/c')
  await Promise.all([1, 2, 3].map(() => makeFolder(folder)))
  for (const path of [top, join(top, 'b'), folder]) {
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  }
  await makeFolder(folder)
})

test('a file in the way is told, wherever it is', async () => {
  const file = join(temporaryFolder(), 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'EEXIST' })
})

test.runIf(existsSync('/proc/self'))(
  'ends where no folder can be made',
  async () => {
    await expect(makeFolder('/proc/nope/data')).rejects.toMatchObject({ code: 'ENOENT' })
  },
  10_000,
)
