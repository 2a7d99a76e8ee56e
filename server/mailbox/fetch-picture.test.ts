import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchPicture } from './fetch-picture.ts'

const open = { allowPrivate: true }
const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex')

async function listen(answer: RequestListener) {
  const asked: { url: string | undefined; headers: object }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers })
    answer(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

describe('fetchPicture', () => {
  it('fetches a picture, known by its bytes, and says nothing of the reader', async () => {
    const { url, asked } = await listen((_request, response) =>
      response.setHeader('content-type', 'text/html').end(png),
    )
    expect(await fetchPicture(`${url}/logo`, open)).toEqual({ type: 'image/png', bytes: png })
    const [{ headers } = { headers: {} }] = asked
    for (const name of ['cookie', 'referer', 'user-agent', 'authorization', 'x-forwarded-for']) {
      expect(headers).not.toHaveProperty(name)
    }
  })

  it.each([
    ['a program', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['a page', '<html><script>1</script></html>'],
    ['nothing', ''],
  ])('takes %s for no picture, whatever it is called', async (_what, body) => {
    const { url } = await listen((_request, response) =>
      response.setHeader('content-type', 'image/png').end(body),
    )
    expect(await fetchPicture(`${url}/x.png`, open)).toBeNull()
  })

  it('takes none that is too large, or has no end', async () => {
    const { url } = await listen((_request, response) => {
      response.write(png)
      const fill = () => {
        while (response.write(Buffer.alloc(500_000)));
      }
      response.on('drain', fill)
      fill()
    })
    expect(await fetchPicture(url, open)).toBeNull()
  })

  it('never asks a private address, nor follows a redirect to one', async () => {
    const secret = await listen((_request, response) => response.end(png))
    expect(await fetchPicture(secret.url, { allowPrivate: false })).toBeNull()
    // The first hop passes as one of the internet; the second is checked anew.
    const first = await listen((_request, response) =>
      response
        .writeHead(302, { location: `http://internal.invalid:${new URL(secret.url).port}/` })
        .end(),
    )
    const names: string[] = []
    const rule = {
      allowPrivate: true,
      resolve: async (name: string) => {
        names.push(name)
        if (name === 'internal.invalid') throw new Error('private')
        return [{ address: '127.0.0.1', family: 4 }]
      },
    }
    expect(
      await fetchPicture(`http://pictures.invalid:${new URL(first.url).port}/`, rule),
    ).toBeNull()
    expect(names).toEqual(['pictures.invalid', 'internal.invalid'])
    expect(secret.asked).toEqual([])
  })

  it('gives up on redirects without end, and on what is no address of the web', async () => {
    const { url, asked } = await listen((_request, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    )
    expect(await fetchPicture(url, open)).toBeNull()
    expect(asked).toHaveLength(4)
    for (const other of [
      'file:///etc/passwd',
      'data:image/png;base64,AA',
      'ftp://a.example/x',
      '',
    ]) {
      expect(await fetchPicture(other, open)).toBeNull()
    }
  })
})
