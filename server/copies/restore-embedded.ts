import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytes, prepareFolder } from '../backend/data-folder.ts'
import { lockFolder } from '../backend/folder-lock.ts'
import { StartError } from '../start-error.ts'
import { type Manifest, unpackCopy } from './copy-file.ts'
import { installationParts, migrationOf } from './embedded.ts'

/**
 * Replaces the contents of a data folder with a copy, all or nothing. The old contents are kept beside it; returns
 * their path, or null when the folder was empty.
 *
 * The copy is unpacked and opened in a folder of its own. Only then that folder gets the name that `finishRestore`
 * looks for: after a crash from there on, the next start finishes the restore.
 */
export async function restoreEmbedded(
  dataDir: string,
  file: string,
  manifest: Manifest,
): Promise<string | null> {
  await prepareFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const unpacked = join(dataDir, `unpacking-${stamp}`)
  try {
    await finishRestore(dataDir)
    if ((await freeBytes(dataDir)) < manifest.bytes) {
      const megabytes = Math.ceil(manifest.bytes / 1e6)
      throw new StartError(`The disk of ${dataDir} is too full: ${megabytes} MB are needed.`)
    }
    await mkdir(unpacked, { mode: 0o700 })
    await unpackCopy(file, unpacked)
    await mkdir(join(unpacked, 'outbox'), { recursive: true, mode: 0o700 })
    const isWhole =
      existsSync(join(unpacked, 'keys.json')) &&
      (await migrationOf(join(unpacked, 'database')).catch(() => null)) === manifest.lastMigration
    if (!isWhole) {
      throw new StartError(`The database in ${file} cannot be opened. Nothing was changed.`)
    }
    await rename(unpacked, join(dataDir, `restoring-${stamp}`))
    return await finishRestore(dataDir)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
    await unlock()
  }
}

/**
 * Moves an unpacked copy into place, also after an earlier attempt was cut off; removes a half-unpacked one. The
 * caller holds the lock of the folder.
 */
export async function finishRestore(dataDir: string): Promise<string | null> {
  let aside: string | null = null
  for (const name of await readdir(dataDir)) {
    const [, state, stamp] = /^(unpacking|restoring)-(.+)$/.exec(name) ?? []
    if (state === 'unpacking') await rm(join(dataDir, name), { recursive: true, force: true })
    if (state === 'restoring') {
      aside = join(dataDir, `before-restore-${stamp}`)
      await exchange(dataDir, join(dataDir, name), aside)
      if ((await readdir(aside)).length > 0) continue
      await rmdir(aside)
      aside = null
    }
  }
  return aside
}

async function exchange(dataDir: string, unpacked: string, aside: string): Promise<void> {
  await mkdir(aside, { recursive: true, mode: 0o700 })
  for (const name of installationParts) {
    const [place, next, old] = [dataDir, unpacked, aside].map((folder) => join(folder, name))
    if (!place || !next || !old || !existsSync(next)) continue
    // A start creates an empty database folder before it gets here.
    await rmdir(place).catch(() => {})
    if (existsSync(place)) await rename(place, old)
    await rename(next, place)
  }
  await rm(unpacked, { recursive: true, force: true })
}
