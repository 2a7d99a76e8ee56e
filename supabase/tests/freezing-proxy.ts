import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a database server, and can make the server look as if it hung. */
export type FreezingProxy = {
  url: string
  /** How many connections were opened so far. */
  opened(): number
  /** From now on connections are accepted and no byte passes, in either direction. */
  freeze(): void
  /** Passes on what has come meanwhile, and everything after it. */
  thaw(): void
  close(): void
}

export async function freezingProxy(databaseUrl: string): Promise<FreezingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let count = 0
  const server = createServer((near) => {
    count += 1
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      if (isFrozen) one.pause()
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  const bound = server.address()
  url.port = String(typeof bound === 'object' && bound?.port)
  return {
    url: url.href,
    opened: () => count,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
