import { access, chmod, constants, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { StartError } from '../start-error.ts'

/** A new database takes about 40 MB; with less room the start would fail halfway. */
const roomForDatabase = 128 * 1024 * 1024

type Disk = { freeBytes(folder: string): Promise<number> }

/** The free bytes on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** What Solo CRM itself puts into its data folder. */
const ours =
  /^(?:database|outbox|backups|(?:keys\.json|mail\.key)(?:\.new)?|lock-\d+|(?:copying|unpacking|restoring|before-restore)-[\w-]+)$/

/**
 * Creates the data folder, closed to other users, or throws a sentence about why it cannot be used. Returns the
 * folder of the database in it.
 */
export async function prepareFolder(folder: string, disk: Disk = { freeBytes }): Promise<string> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw folderError(folder, error)
  }
  if ((await disk.freeBytes(folder)) < roomForDatabase) {
    throw new StartError(
      `The disk of ${folder} is full: Solo CRM needs at least 128 MB free. Make room, or set DATA_DIR to a folder on another disk.`,
    )
  }
  const database = join(folder, 'database')
  try {
    // A folder with other files, such as /srv or a home, keeps its permissions.
    if ((await readdir(folder)).every((name) => ours.test(name))) await closeToOthers(folder)
    await makeFolder(database)
    await closeToOthers(database)
  } catch (error) {
    throw folderError(folder, error)
  }
  return database
}

/** A folder made by hand is often readable by others; only its owner can change that. */
async function closeToOthers(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) await chmod(folder, 0o700)
}

const notAFolder = 'it is not a folder. Rename that file'
const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full. Make room',
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  EROFS: 'it cannot be written to. Mount it writable',
  ENOENT: 'this folder cannot be made. Look whether its disk is there',
}

/** A failure of the file system at start, as a sentence about DATA_DIR. */
export function folderError(folder: string, error: unknown): StartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code] ?? 'this user may not use it. Give it the right to write there'
  return new StartError(`DATA_DIR ${folder}: ${reason}, or set DATA_DIR to another folder.`)
}
