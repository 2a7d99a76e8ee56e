import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from './listen.ts'

const patience = { headersMs: 300, requestMs: 600 }

async function start(): Promise<number> {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    answer: async (request) => new Response(await request.text()),
    patience,
  })
  onTestFinished(() => server.close(0))
  return server.port
}

/** Sends the beginning, then one letter after the other without end; what came back until it was cut off. */
function drip(port: number, beginning: string): Promise<{ received: string; ms: number }> {
  return new Promise((resolve) => {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1', () => socket.write(beginning))
    const dripping = setInterval(() => socket.write('x'), 20)
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
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', patience.headersMs],
  ['its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n', patience.requestMs],
])(
  'a client that sends %s letter by letter is told 408 and cut off',
  async (_, beginning, least) => {
    const { received, ms } = await drip(await start(), beginning)
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(ms).toBeGreaterThanOrEqual(least)
  },
)
