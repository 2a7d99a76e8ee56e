import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/**
 * Holds a data folder for this process by listening on a socket in it. The operating system stops
 * the listening with the process, however it ends, so a start after a crash finds nobody there;
 * a second process finds somebody and is refused.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\solo-crm${folder}`, folder)

  // A socket's path may have about 100 letters, a folder's many more: a short link leads there.
  const short = await mkdtemp(join(tmpdir(), 'solo-'))
  try {
    await symlink(folder, join(short, 'd'))
    const path = join(short, 'd', 'lock')
    if (await isListening(path)) throw inUse(folder)
    await moveAside(path, folder)
    const release = await listen(path, folder)
    return async () => {
      await release()
      await rm(join(folder, 'lock'), { force: true })
    }
  } finally {
    await rm(short, { recursive: true, force: true })
  }
}

/**
 * Takes a socket that nobody listens on out of the way. Between looking and moving another process
 * may have started listening: what was moved is therefore looked at again, and put back if alive.
 */
async function moveAside(path: string, folder: string): Promise<void> {
  const aside = `${path}-${randomBytes(4).toString('hex')}`
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if (await isListening(aside)) {
    await rename(aside, path)
    throw inUse(folder)
  }
  await rm(aside, { force: true })
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function listen(path: string, folder: string): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? inUse(folder) : error),
    )
    server.listen(path, () => {
      server.unref()
      resolve(() => new Promise((done) => server.close(() => done())))
    })
  })
}

function inUse(folder: string): StartError {
  return new StartError(
    `Another Solo CRM is running on ${folder}. Stop it first, or set DATA_DIR to a folder of its own.`,
  )
}
