import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

type Release = () => Promise<void>

/**
 * Holds a data folder for this process by listening on a socket in it. The operating system ends
 * the listening with the process, however it ends, so a start after a crash finds nobody there;
 * a second process finds somebody and is refused.
 */
export async function lockFolder(folder: string): Promise<Release> {
  if (process.platform === 'win32') {
    const release = await listen(`\\\\.\\pipe\\solo-crm-${encodeURIComponent(folder)}`)
    if (!release) throw inUse(folder)
    return release
  }
  // A socket's path may have about 100 letters, a folder's many more: a short link leads there.
  const short = await mkdtemp(join(tmpdir(), 'solo-'))
  try {
    await symlink(folder, join(short, 'd'))
    return await lockByNumber(folder, (number) => join(short, 'd', `lock-${number}`))
  } finally {
    await rm(short, { recursive: true, force: true })
  }
}

/**
 * Sockets left behind by a crash are never taken over, only followed: each start listens on the
 * next number, which the system gives to one process alone. So of many that start at once and all
 * find the last one dead, exactly one gets the folder.
 */
async function lockByNumber(folder: string, path: (number: number) => string): Promise<Release> {
  for (;;) {
    const numbers = await numbersIn(folder)
    if (await isAnyAlive(numbers.map(path))) throw inUse(folder)
    const mine = Math.max(0, ...numbers) + 1
    const close = await listen(path(mine))
    if (!close) continue
    const release = async () => {
      await close()
      await rm(join(folder, `lock-${mine}`), { force: true })
    }
    const lower = (await numbersIn(folder)).filter((number) => number < mine)
    if (await isAnyAlive(lower.map(path))) {
      await release()
      throw inUse(folder)
    }
    for (const number of lower) await rm(join(folder, `lock-${number}`), { force: true })
    return release
  }
}

async function numbersIn(folder: string): Promise<number[]> {
  const files = await readdir(folder)
  return files.flatMap((file) => /^lock-(\d{1,9})$/.exec(file)?.[1] ?? []).map(Number)
}

async function isAnyAlive(paths: string[]): Promise<boolean> {
  return (await Promise.all(paths.map(isAlive))).includes(true)
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Null when somebody else has that name. */
function listen(path: string): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
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
