import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { requestOutgoing } from './request.ts'

const open = { allowPrivate: true }
const asked = { method: 'POST', body: 'hello', timeLimit: 5000, mostBytes: 100 } as const

async function listen(answer: RequestListener): Promise<{ port: number; paths: string[] }> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, paths }
}

test('a redirect is an answer, and is not followed', async () => {
  const secret = await listen((_request, response) => response.end('secret'))
  const { port } = await listen((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${secret.port}/` }).end()
  })
  const answer = await requestOutgoing({ ...asked, url: `http://127.0.0.1:${port}/` }, open)
  expect(answer.status).toBe(302)
  expect(secret.paths).toEqual([])
})

test('goes to the address that was checked, under the name that was asked for', async () => {
  let host: string | undefined
  const { port } = await listen((request, response) => {
    host = request.headers.host
    response.end('ok')
  })
  const resolved: string[] = []
  const rule = {
    ...open,
    resolve: async (name: string) => {
      resolved.push(name)
      return [{ address: '127.0.0.1', family: 4 }]
    },
  }
  const answer = await requestOutgoing({ ...asked, url: `http://rebinding.invalid:${port}/` }, rule)
  expect(answer).toMatchObject({ status: 200, isCut: false })
  expect(host).toBe(`rebinding.invalid:${port}`)
  // Once: a second answer could be another one.
  expect(resolved).toEqual(['rebinding.invalid'])
})

test('reads no more than was asked for of an answer without end', async () => {
  const { port } = await listen((_request, response) => {
    const filling = setInterval(() => response.write('x'.repeat(1000)), 1)
    response.on('close', () => clearInterval(filling))
  })
  const answer = await requestOutgoing({ ...asked, url: `http://127.0.0.1:${port}/` }, open)
  expect(answer).toMatchObject({ isCut: true })
  expect(answer.body).toHaveLength(100)
})

test.each([
  ['says nothing', () => {}],
  [
    'begins and never ends',
    (_request: unknown, response: { write(text: string): void }) => response.write('x'),
  ],
] as [string, RequestListener][])(
  'a server that %s is left after the time limit',
  async (_what, answer) => {
    const { port } = await listen(answer)
    const late = requestOutgoing(
      { ...asked, timeLimit: 200, url: `http://127.0.0.1:${port}/` },
      open,
    )
    await expect(late).rejects.toMatchObject({ name: 'TooSlow' })
  },
)

test('an answer that changes to another protocol is a failure, not a wait without end', async () => {
  const server = createServer()
  server.on('connection', (socket) => {
    socket.once('data', () =>
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
    )
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const refused = requestOutgoing({ ...asked, url: `http://127.0.0.1:${port}/` }, open)
  await expect(refused).rejects.toThrow('another protocol')
})

test('a name that is resolved too slowly is given up as well', async () => {
  const rule = { ...open, resolve: () => new Promise<never>(() => {}) }
  const late = requestOutgoing({ ...asked, timeLimit: 100, url: 'http://slow.example/' }, rule)
  await expect(late).rejects.toMatchObject({ name: 'TooSlow' })
})

test.each([
  'http://127.0.0.1:1/',
  'http://93.184.216.34:25/',
  'ftp://93.184.216.34/',
  'file:///etc',
])('%s is refused before anything is sent', async (url) => {
  const refused = requestOutgoing({ ...asked, url }, { allowPrivate: false })
  await expect(refused).rejects.toMatchObject({ name: 'AddressRefused' })
})
