import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { runServer } from './test-process.ts'
import { rawRequest, writeClient } from './test-server.ts'

const root = join(import.meta.dirname, '..')
// The way without a database: what is tested here is the process, its words and its exit codes.
const project = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'anon' }
let folder = ''

beforeAll(() => {
  // The built server without a client beside it. Inside the checkout, because the built file looks for its
  // packages from where it lies.
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/main-'))
  cpSync(join(root, 'dist/server'), join(folder, 'dist/server'), { recursive: true })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(env: Record<string, string>) {
  return runServer(join(folder, 'dist/server/main.js'), env)
}

it('ends with 2 and one line that names a bad setting', async () => {
  const { code, out, err } = await run({ PORT: 'abc' }).ended
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toBe('PORT is "abc": expected a whole number from 0 to 65535\n')
})

it('ends with 1 and one line when the port is taken or the client is missing', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const bound = other.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  const taken = await run({ ...project, PORT: String(port) }).ended
  expect(taken.code).toBe(1)
  expect(taken.err).toMatch(/^PORT is \d+, and another program uses that port: [^\n]+\n$/)
  const unbuilt = await run({ ...project, PORT: '0' }).ended
  expect(unbuilt.code).toBe(1)
  expect(unbuilt.err).toMatch(/^The client is not built in [^\n]+\n$/)
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'says when it is ready and ends well on %s',
  async (signal) => {
    cpSync(writeClient(), join(folder, 'dist/client'), { recursive: true })
    const { child, ready, ended } = run({ ...project, PORT: '0' })
    const port = await ready
    expect((await rawRequest(port, '/app')).body.toString()).toContain('https://abc.supabase.co')
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, err: '' })
  },
)
