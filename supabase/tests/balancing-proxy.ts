import { createServer, type IncomingMessage, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

/** Spreads requests over several servers, each in turn; one that takes no connection is passed over. */
export type BalancingProxy = {
  address: string
  /** The ports of the servers; may be changed at any time. */
  ports: number[]
  /** How many requests a server has not answered yet. */
  inFlight(port: number): number
  stop(): Promise<void>
}

export async function startBalancingProxy(ports: number[]): Promise<BalancingProxy> {
  let turn = 0
  const all = [...ports]
  const waiting = new Map<number, number>()
  const count = (port: number, by: number) => waiting.set(port, (waiting.get(port) ?? 0) + by)
  function inTurn(): number[] {
    turn += 1
    const at = turn % all.length
    return [...all.slice(at), ...all.slice(0, at)]
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    for (const port of inTurn()) {
      count(port, 1)
      const answer = await forward(port, request, Buffer.concat(parts)).catch((error) => {
        if (error.code === 'ECONNREFUSED') return null
        return error as Error
      })
      if (!answer || answer instanceof Error) count(port, -1)
      if (!answer) continue
      if (answer instanceof Error) break
      answer.once('close', () => count(port, -1))
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      return
    }
    response.writeHead(502).end('No server answers.')
  })
  // A connection closed for being idle just as the next request is written would look like an error of ours.
  server.keepAliveTimeout = 0
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    const tryNext = ([port, ...others]: number[]): void => {
      if (!port) return void socket.destroy()
      const far = connect(port, '127.0.0.1')
      far.once('error', () => tryNext(others))
      far.once('connect', () => {
        const lines = request.rawHeaders.map(
          (word, place) => word + (place % 2 === 0 ? ': ' : '\r\n'),
        )
        far.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
        far.write(head)
        far.pipe(socket).pipe(far)
        far.on('close', () => socket.destroy())
        socket.on('close', () => far.destroy())
      })
    }
    tryNext(inTurn())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports: all,
    inFlight: (port) => waiting.get(port) ?? 0,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(port: number, asked: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url: path, headers } = asked
    const given = { ...headers, 'x-forwarded-for': asked.socket.remoteAddress ?? '' }
    const passed = send({ host: '127.0.0.1', port, method, path, headers: given, agent: false })
    passed.once('response', resolve)
    passed.once('error', reject)
    passed.end(body)
  })
}
