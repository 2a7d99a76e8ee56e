import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { serveTools } from './stdio.ts'

// With assistants on the other side: scripts/commands.test.ts.

const token = `solo_${'0'.repeat(64)}`

/** A server, or a project, that knows no token. */
async function stranger() {
  const asked: { url: string | undefined; key: unknown }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url, key: request.headers.apikey })
    const answer = { code: 'unknown_token', message: 'This access token is not known.' }
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  onTestFinished(() => void close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}

test('the server is found by its address, and by that of web assistants; a project is shown its key', async () => {
  const { url, asked } = await stranger()
  for (const [address, SOLO_KEY] of [[url], [`${url}/`], [`${url}/mcp`], [url, 'anon']]) {
    const begun = serveTools({ SOLO_URL: address, SOLO_TOKEN: token, SOLO_KEY })
    await expect(begun).rejects.toThrow('This access token is not known.')
  }
  const path = '/rest/v1/rpc/call_with_token'
  expect(asked.map(({ url: at, key }) => [at, key])).toEqual([
    [path, undefined],
    [path, undefined],
    [path, undefined],
    [path, 'anon'],
  ])
})

test('says what is wrong with its settings', async () => {
  const { url, close } = await stranger()
  await close()
  await expect(serveTools({ SOLO_URL: url, SOLO_TOKEN: token })).rejects.toThrow(
    `No answer from ${url}. Check that the server runs, and SOLO_URL.`,
  )
  await expect(serveTools({ SOLO_TOKEN: token })).rejects.toThrow(/^SOLO_URL: expected an address/)
})
