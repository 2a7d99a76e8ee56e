import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A data folder with the database that the tests of the server have made, where they have: on an empty one a server makes
 * its own, which takes ten seconds of a processor.
 */
export function fillDataFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const template = join(process.env.KEPT_TEMPLATE ?? '', 'database')
  if (process.env.KEPT_TEMPLATE && existsSync(template)) {
    cpSync(template, join(folder, 'database'), { recursive: true })
  }
  return folder
}
