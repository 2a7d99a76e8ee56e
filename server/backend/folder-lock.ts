import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

type Release = () => Promise<void>

/** Called when another process connects to the socket of the folder. */
type OnConnection = (socket: Socket) => void

/**
 * Locks a data folder for this process by listening on a socket in it. The operating system closes the socket
 * with the process, also after a crash; a second process can connect to it and is refused.
 */
export async function lockFolder(
  folder: string,
  onConnection: OnConnection = (socket) => void socket.destroy(),
): Promise<Release> {
  if (process.platform === 'win32') {
    const release = await listen(pipeOf(folder), onConnection)
    if (!release) throw inUse(folder)
    return release
  }
  return withShortPath(folder, (path) => lockByNumber(folder, path, onConnection))
}

/** A connection to the process that holds the folder, or null when nobody does. */
export async function connectToHolder(folder: string): Promise<Socket | null> {
  if (process.platform === 'win32') return tryConnect(pipeOf(folder))
  return withShortPath(folder, async (path) => {
    for (const number of await numbersIn(folder)) {
      const socket = await tryConnect(path(number))
      if (socket) return socket
    }
    return null
  })
}

function pipeOf(folder: string): string {
  return `\\\\.\\pipe\\solo-crm-${encodeURIComponent(folder)}`
}

/** A socket's path is limited to about 100 characters, so a short symbolic link leads to the folder. */
async function withShortPath<T>(
  folder: string,
  work: (path: (number: number) => string) => Promise<T>,
): Promise<T> {
  const short = await mkdtemp(join(tmpdir(), 'solo-'))
  try {
    await symlink(folder, join(short, 'd'))
    return await work((number) => join(short, 'd', `lock-${number}`))
  } finally {
    await rm(short, { recursive: true, force: true })
  }
}

/**
 * A start never reuses the socket of a crashed process: it listens on the next number, which the system gives to
 * one process only. So of many processes that start at once after a crash, exactly one gets the folder.
 */
async function lockByNumber(
  folder: string,
  path: (number: number) => string,
  onConnection: OnConnection,
): Promise<Release> {
  for (;;) {
    const numbers = await numbersIn(folder)
    if (await isAnyAlive(numbers.map(path))) throw inUse(folder)
    const mine = Math.max(0, ...numbers) + 1
    const close = await listen(path(mine), onConnection)
    if (!close) continue
    // Only the owner may connect, whatever the permissions of the folder.
    await chmod(path(mine), 0o600)
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

async function isAlive(path: string): Promise<boolean> {
  const socket = await tryConnect(path)
  socket?.destroy()
  return socket !== null
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}

/** Null when another process listens on that path. */
function listen(path: string, onConnection: OnConnection): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const clients = new Set<Socket>()
    const server = createServer((socket) => {
      clients.add(socket)
      // A client that disconnects is no error.
      socket.on('error', () => {}).once('close', () => clients.delete(socket))
      onConnection(socket)
    })
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(path, () => {
      server.unref()
      resolve(
        () =>
          new Promise((done) => {
            server.close(() => done())
            for (const client of clients) client.destroy()
          }),
      )
    })
  })
}

function inUse(folder: string): StartError {
  return new StartError(
    `Another Solo CRM is running on ${folder}. Stop it first, or set DATA_DIR to a folder of its own.`,
  )
}
