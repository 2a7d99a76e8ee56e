import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readManifest } from './copy-file.ts'

const automatic = /^before-\d{14}-.+\.tar\.gz$/
const keptAutomatic = 3

/** The default folder for copies. */
export function copiesFolder(dataDir: string): string {
  return join(dataDir, 'backups')
}

/** The name of a copy, which sorts by time. */
export function copyName(prefix: string, now = new Date()): string {
  return `${prefix}-${now.toISOString().replace(/[:.]/g, '-')}.tar.gz`
}

/** Keeps only the last few copies made before updates; copies that the user made are never removed. */
export async function removeOldCopies(dataDir: string): Promise<void> {
  const folder = copiesFolder(dataDir)
  const names = (await readdir(folder)).filter((name) => automatic.test(name))
  const byTime = names.sort((a, b) => timeIn(a).localeCompare(timeIn(b)))
  for (const name of byTime.slice(0, -keptAutomatic)) await rm(join(folder, name), { force: true })
}

/** The newest copy here whose database is not newer than the program, if there is one. */
export async function newestCopy(dataDir: string, known: Set<string>): Promise<string | null> {
  const folder = copiesFolder(dataDir)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.tar.gz'))
  const files = names
    .sort((a, b) => timeIn(b).localeCompare(timeIn(a)))
    .map((name) => join(folder, name))
  for (const file of files) {
    const manifest = await readManifest(file).catch(() => null)
    if (manifest && known.has(manifest.lastMigration)) return file
  }
  return null
}

function timeIn(name: string): string {
  return name.slice(-'2026-11-15T00-00-00-000Z.tar.gz'.length)
}
