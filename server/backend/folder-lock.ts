import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

type Release = () => Promise<void>

/** Somebody else who may use the folder has come to the socket and may ask for something. */
type OnConnection = (socket: Socket) => void

/**
 * Holds a data folder for this process by listening on a socket in it. The operating system ends
 * the listening with the process, however it ends, so a start after a crash finds nobody there;
 * a second process finds somebody and is refused.
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

/** A socket's path may have about 100 letters, a folder's many more: a short link leads there. */
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
 * Sockets left behind by a crash are never taken over, only followed: each start listens on the
 * next number, which the system gives to one process alone. So of many that start at once and all
 * find the last one dead, exactly one gets the folder.
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
    // Who may connect may ask: nobody but the owner, whatever the folder's own rights.
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

/** Null when somebody else has that name. */
function listen(path: string, onConnection: OnConnection): Promise<Release | null> {
  return new Promise((resolve, reject) => {
    const clients = new Set<Socket>()
    const server = createServer((socket) => {
      clients.add(socket)
      // A client who just leaves is nobody's fault.
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
