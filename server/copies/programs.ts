import { spawn } from 'node:child_process'
import { StartError } from '../start-error.ts'

/**
 * Runs one of PostgreSQL's programs on a database. The password is passed in the environment, because every user
 * of the machine can read the arguments.
 */
export async function runProgram(
  program: 'pg_dump' | 'pg_restore' | 'psql',
  args: string[],
  options: { url?: string; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { address, password } = splitPassword(options.url)
  const child = spawn(program, address ? [...args, `--dbname=${address}`] : args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
    signal: options.signal,
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? notInstalled(program) : error),
    )
    child.once('close', resolve)
  })
  if (code !== 0) throw new StartError(`${program} failed: ${firstError(errors)}`)
}

function splitPassword(url: string | undefined): { address?: string; password?: string } {
  if (!url) return {}
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return { address: address.href, password }
}

function notInstalled(program: string): StartError {
  return new StartError(
    `${program} is not installed here. Install PostgreSQL's client programs (pg_dump, pg_restore and psql, of the server's version or newer).`,
  )
}

/** The line with the error; the programs print others around it. */
function firstError(errors: string): string {
  const lines = errors.split('\n').filter((line) => line.trim() !== '')
  return (lines.find((line) => /error|fatal/i.test(line)) ?? lines[0] ?? 'no reason given').trim()
}
