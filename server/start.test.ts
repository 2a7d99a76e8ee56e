import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Settings } from './settings.ts'
import { SettingsError } from './settings.ts'
import { start } from './start.ts'
import { StartError } from './start-error.ts'
import { fakeBackend, rawRequest, temporaryFolder, writeClient } from './test-server.ts'

function prepare(answer?: () => Promise<Response>) {
  const backend = fakeBackend(answer)
  const close = vi.spyOn(backend, 'close')
  const seen: Settings[] = []
  const options = {
    env: { PORT: '0', DATA_DIR: temporaryFolder() } as Record<string, string>,
    clientDir: writeClient(),
    openBackend: async (settings: Settings) => {
      seen.push(settings)
      return backend
    },
  }
  return { backend, close, seen, options }
}

function portOf(address: string): number {
  return Number(new URL(address).port)
}

describe('start', () => {
  it('serves, and tells the backend the real address', async () => {
    const { options, seen } = prepare()
    const running = await start(options)
    onTestFinished(() => running.stop())
    expect(running.address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    expect(seen[0]?.publicUrl).toBe(running.address)
    expect((await rawRequest(portOf(running.address), '/health')).status).toBe(200)
  })

  it('answers 503 while the backend opens', async () => {
    const { options, backend } = prepare()
    let status = 0
    const running = await start({
      ...options,
      openBackend: async (settings) => {
        status = (await rawRequest(settings.port, '/health')).status
        return backend
      },
    })
    onTestFinished(() => running.stop())
    expect(status).toBe(503)
  })

  it('opens no database in the way that has none', async () => {
    const { options, seen } = prepare()
    const env = { ...options.env, SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'k' }
    const running = await start({ ...options, env })
    onTestFinished(() => running.stop())
    expect(seen).toEqual([])
  })

  it('names PORT when it is in use, before the database is touched', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const bound = other.address()
    const port = typeof bound === 'object' && bound ? bound.port : 0
    const { options, seen } = prepare()
    const failing = start({ ...options, env: { ...options.env, PORT: String(port) } })
    await expect(failing).rejects.toThrow(StartError)
    await expect(failing).rejects.toThrow(`PORT is ${port}, and another program uses that port`)
    expect(seen).toEqual([])
  })

  it('names HOST when this machine has no such address', async () => {
    const { options } = prepare()
    const failing = start({ ...options, env: { ...options.env, HOST: '192.0.2.1' } })
    await expect(failing).rejects.toThrow('HOST is 192.0.2.1')
  })

  it('refuses a bad setting', async () => {
    const { options } = prepare()
    await expect(start({ ...options, env: { PORT: 'x' } })).rejects.toThrow(SettingsError)
  })

  it('leaves nothing open when it fails', async () => {
    const { options, close } = prepare()
    let port = 0
    const failing = start({
      ...options,
      openBackend: async (settings) => {
        port = settings.port
        throw new StartError('The database isn’t responding.')
      },
    })
    await expect(failing).rejects.toThrow('The database isn’t responding.')
    await expect(rawRequest(port, '/health')).rejects.toThrow('ECONNREFUSED')
    await expect(start({ ...options, clientDir: '/nowhere' })).rejects.toThrow(StartError)
    expect(close).toHaveBeenCalledOnce()
  })
})

describe('stop', () => {
  it('lets a request in flight finish, then closes the database, once', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { options, backend, close } = prepare(async () => {
      await held
      return Response.json(['done'])
    })
    const running = await start(options)
    const port = portOf(running.address)
    const answer = rawRequest(port, '/rest/v1/contacts')
    await vi.waitFor(() => expect(backend.asked).toHaveLength(1), 20_000)
    const stopped = Promise.all([running.stop(), running.stop()])
    await vi.waitFor(
      () => expect(rawRequest(port, '/health')).rejects.toThrow('ECONNREFUSED'),
      20_000,
    )
    expect(close).not.toHaveBeenCalled()
    release()
    expect((await answer).body.toString()).toBe('["done"]')
    await stopped
    expect(close).toHaveBeenCalledOnce()
  })

  it('does not wait for connections that ask nothing', async () => {
    const { options } = prepare()
    const running = await start(options)
    const port = portOf(running.address)
    const silent = connect(port, '127.0.0.1')
    const keptAlive = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) => silent.once('connect', resolve))
    keptAlive.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise<void>((resolve) => keptAlive.once('data', () => resolve()))
    const before = Date.now()
    await running.stop()
    expect(Date.now() - before).toBeLessThan(2000)
  })

  it('behind a proxy tells it first, and answers what it is just writing', async () => {
    const { options, close } = prepare()
    const running = await start({ ...options, env: { ...options.env, TRUST_PROXY: '1' } })
    const port = portOf(running.address)
    const keptAlive = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) => keptAlive.once('connect', resolve))
    const stopped = running.stop()
    const health = await rawRequest(port, '/health')
    expect(health.status).toBe(503)
    const answered = text(keptAlive)
    keptAlive.write('GET /rest/v1/contacts HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await answered).toMatch(/^HTTP\/1\.1 \d{3} [\s\S]*connection: close\r\n/i)
    expect(close).not.toHaveBeenCalled()
    await stopped
    expect(close).toHaveBeenCalledOnce()
  })
})
