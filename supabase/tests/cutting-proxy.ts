import { connect, createServer, type Socket } from 'node:net'

/** When a connection is cut: after so many bytes, counted over all connections since this was said. */
type Cut = {
  /** After so many bytes of the server. */
  server?: number
  /** When the server answers after so many bytes of the client: it has understood, and its answer is lost. */
  answerAfter?: number
  /** When the server answers to what the client said in so many pieces: each command is one. */
  answerTo?: number
  /** After so many bytes of the client. */
  client?: number
}

/** Stands between us and a mail server, and cuts connections in the middle of something. */
export type CuttingProxy = {
  port: number
  /** What has passed since the last call of `cutAt`. */
  passed: { server: number; client: number; pieces: number }
  cutAt(cut?: Cut): void
  /** How many connections there have been. */
  count(): number
  /** Cuts what is open. */
  cut(): void
  stop(): void
}

export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const passed = { server: 0, client: 0, pieces: 0 }
  let limit: Cut = {}
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  let count = 0
  const server = createServer((near) => {
    count += 1
    const far = connect(target, '127.0.0.1')
    near.on('data', (bytes) => {
      passed.client += bytes.length
      passed.pieces += 1
      if (passed.client > (limit.client ?? Number.POSITIVE_INFINITY)) return cut()
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      const isAnswer =
        passed.client > (limit.answerAfter ?? Number.POSITIVE_INFINITY) ||
        passed.pieces >= (limit.answerTo ?? Number.POSITIVE_INFINITY)
      passed.server += bytes.length
      if (isAnswer || passed.server > (limit.server ?? Number.POSITIVE_INFINITY)) return cut()
      near.write(bytes)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : 0,
    passed,
    cutAt(next = {}) {
      limit = next
      passed.server = 0
      passed.client = 0
      passed.pieces = 0
    },
    cut,
    count: () => count,
    stop() {
      server.close()
      cut()
    },
  }
}
