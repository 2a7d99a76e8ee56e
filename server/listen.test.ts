import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

/** Time enough to send a request, also where this process gets no processor for seconds. */
const patience = { headersMs: 60_000, requestMs: 60_000, takingMs: 1000 }
const impatience = { ...patience, headersMs: 300, requestMs: 600 }

type Answer = (request: Request, env: HttpBindings) => Promise<Response>

async function start(
  answer: Answer = async (request) => new Response(await request.text()),
  more: Partial<Parameters<typeof listen>[0]> = {},
): Promise<number> {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    answer: (request, env) => answer(request, env as HttpBindings),
    patience,
    ...more,
  })
  onTestFinished(() => server.close(0))
  return server.port
}

/** Sends the beginning, then one letter after the other without end; what came back until it was cut off. */
function drip(port: number, beginning: string): Promise<{ received: string; ms: number }> {
  return new Promise((resolve) => {
    const began = performance.now()
    let dripping: NodeJS.Timeout | undefined
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(beginning)
      // Not before: a letter that was written while the connection was made would come first.
      dripping = setInterval(() => socket.write('x'), 20)
    })
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    // It is cut off while we write.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(dripping)
      resolve({ received, ms: performance.now() - began })
    })
  })
}

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', impatience.headersMs],
  ['its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n', impatience.requestMs],
])(
  'a client that sends %s letter by letter is told 408 and cut off',
  async (_, beginning, least) => {
    const { received, ms } = await drip(await start(undefined, { patience: impatience }), beginning)
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(ms).toBeGreaterThanOrEqual(least)
  },
)

describe('a client that is slow to take its answer', () => {
  /** More than the buffers of both ends hold. */
  const big = 'x'.repeat(40_000_000)
  const get = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

  function open(port: number): Socket {
    const socket = connect(port, '127.0.0.1', () => socket.write(get))
    onTestFinished(() => void socket.destroy())
    // It may be cut off.
    socket.on('error', () => {})
    return socket
  }

  /** How many bytes come, with a pause after every piece for so long; the rest is taken at once. */
  async function takeSlowly(socket: Socket, slowMs: number): Promise<number> {
    const began = performance.now()
    let taken = 0
    for await (const piece of socket) {
      taken += piece.length
      if (performance.now() - began < slowMs) await setTimeout(10)
    }
    return taken
  }

  test('is cut off when it takes nothing of it', async () => {
    let onCut = () => {}
    const isCut = new Promise<void>((resolve) => {
      onCut = resolve
    })
    const port = await start(async (_, { outgoing }) => {
      outgoing.once('close', onCut)
      return new Response(big)
    })
    open(port).pause()
    await isCut
  })

  test('is not cut off when it takes some all the time, for much longer', async () => {
    const port = await start(async () => new Response(big))
    // Pieces of 64 kB last for longer than that.
    expect(await takeSlowly(open(port), 3 * patience.takingMs)).toBeGreaterThan(big.length)
  })

  test('is not cut off when the answer is long in the making', async () => {
    const port = await start(async () => {
      await setTimeout(3 * patience.takingMs)
      return new Response('made')
    })
    expect(await text(open(port))).toMatch(/made$/)
  })
})

test('one address holds no more connections than it may, and gets another for each that it gives back', async () => {
  const port = await start(undefined, { limits: { perAddress: 2 } })
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    const answered = new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return { socket, isServed: await answered }
  }
  const first = await open()
  expect(first.isServed).toBe(true)
  expect((await open()).isServed).toBe(true)
  expect((await open()).isServed).toBe(false)
  expect((await open('127.0.0.2')).isServed).toBe(true)
  first.socket.destroy()
  await expect.poll(async () => (await open()).isServed, { timeout: 20_000 }).toBe(true)
})

test('however slowly answers are taken, no more of them wait than there is room for', async () => {
  const served = new Set<Socket>()
  const answer: Answer = async (_, { incoming }) => {
    served.add(incoming.socket)
    return new Response('x'.repeat(20_000_000))
  }
  const port = await start(answer, {
    limits: { waitingBytes: 50_000_000 },
    patience: { ...patience, takingMs: 60_000 },
  })
  for (let count = 0; count < 6; count++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.pause()
  }
  // Two of them fit in.
  const left = () => [...served].filter((socket) => !socket.destroyed).length
  await expect.poll(() => [served.size, left()], { timeout: 40_000 }).toEqual([6, 2])
})
