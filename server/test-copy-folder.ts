import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import process from 'node:process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Copies a folder to where none is yet. A database has 1,400 files, for which Node takes three times as long as `cp`. */
export async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true })
  else await run('cp', ['-R', from, to])
}
