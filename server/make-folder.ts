import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents, all closed to other users. Node's own recursive mkdir loops for ever
 * where the system reports a missing parent that exists, as under /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder) await makeFolder(above)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it at the same time.
    if (!(await isFolder(folder))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}
