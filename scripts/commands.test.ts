import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { serveTools } from '#server/interface/stdio.ts'
import { isLong } from '#server/test-length.ts'
import { newDataFolder } from '#server/test-process.ts'
import { freePort } from '../e2e/free-port.ts'
import { signUpAt } from './built-product.ts'
import { ensureBuilt } from './setup.mjs'

const root = join(import.meta.dirname, '..')
const compiledOnce = pathToFileURL(join(root, 'server/test-compiled-once.mjs')).href
vi.setConfig({ testTimeout: 120_000 })

// One folder for all, one after the other: whoever had not ended would keep the next one out.
let folder = ''
beforeAll(async () => {
  // Where this file is run alone.
  await ensureBuilt()
  folder = await newDataFolder(await mkdtemp(join(tmpdir(), 'solo-commands-')))
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command of package.json as a user would, with data of its own, until it says that it is ready. */
async function npm(...args: string[]) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = spawn('npm', args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      npm_config_update_notifier: 'false',
      PORT: String(port),
      DATA_DIR: folder,
      NODE_OPTIONS: `--import ${compiledOnce}`,
      LITE_AUTH_BCRYPT_COST: '4',
    },
    // A group of its own, so that nothing of it outlives the test.
    detached: true,
  })
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid) process.kill(-child.pid, signal)
  }
  onTestFinished(() => {
    try {
      kill('SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => output.includes(address) && resolve())
    ended.then(() => reject(new Error(`It ended before it was ready: ${output}`)))
  })
  return {
    address,
    output: () => output,
    /** Tells npm alone, as a service manager does; whatever it started must end too. */
    async stop() {
      child.kill('SIGTERM')
      await ended
      const isServing = () => fetch(`${address}/health`).then(Boolean, () => false)
      await vi.waitFor(async () => expect(await isServing()).toBe(false), { timeout: 15_000 })
    },
  }
}

// Who works on the code sees at once whether it still does this.
test.runIf(isLong)(
  'npm run dev serves the app from its sources before the same backend, and ends on SIGTERM',
  async () => {
    const { address, stop } = await npm('run', 'dev')
    expect((await fetch(`${address}/health`)).status).toBe(200)
    const page = await (await fetch(`${address}/app/dashboard`)).text()
    const [, json = ''] = /id="settings">([^<]*)</.exec(page) ?? []
    const { supabaseKey } = JSON.parse(json)
    const [, entry = ''] = /<script type="module" src="(\/src\/[^"]+)"/.exec(page) ?? []
    const script = await fetch(address + entry)
    expect(script.headers.get('content-type')).toMatch(/javascript/)
    const refused = await fetch(`${address}/rest/v1/contacts`, { headers: { apikey: supabaseKey } })
    expect(refused.status).toBe(401)
    await stop()
  },
)

/** What the assistants of the test call themselves. */
const about = { name: 'test', version: '1.0.0' }

test('npm start with nothing changed installs and builds nothing, serves npm run mcp, and ends on SIGTERM', async () => {
  const { address, output, stop } = await npm('start')
  expect(await (await fetch(`${address}/health`)).json()).toEqual({ status: 'ok', restarts: 0 })
  expect(output()).not.toMatch(/install|build/i)

  // It gives an assistant its tools on standard output, and says in words why it cannot.
  const { client: owner } = await signUpAt(address, 'assistant@example.com')
  const { data } = await owner.rpc('create_access_token', { name: 'Claude', scope: 'write' })
  const { token } = data as { token: string }
  const program = (SOLO_TOKEN: string) => ({
    command: 'npm',
    args: ['run', '--silent', 'mcp'],
    cwd: root,
    env: { PATH: process.env.PATH ?? '', SOLO_URL: `${address}/`, SOLO_TOKEN },
    stderr: 'pipe' as const,
  })
  // Both versions of the official client in the long run; supabase/tests/protocol.test.ts has both over HTTP.
  const assistants = [
    () => ({
      assistant: new Client(about),
      transport: new StdioClientTransport(program(token)),
    }),
    () => ({
      assistant: new ClientOfV1(about),
      transport: new TransportOfV1(program(token)),
    }),
  ].slice(0, isLong ? 2 : 1)
  for (const make of assistants) {
    const { assistant, transport } = make()
    await assistant.connect(transport as never)
    expect((await assistant.listTools()).tools).toHaveLength(21)
    await assistant.callTool({ name: 'save_company', arguments: { fields: { name: 'Acme' } } })
    await assistant.close()
  }
  expect((await owner.from('companies').select('name')).data).toEqual(
    assistants.map(() => ({ name: 'Acme' })),
  )

  const unknown = new StdioClientTransport(program(`solo_${'0'.repeat(64)}`))
  let said = ''
  unknown.stderr?.on('data', (text) => {
    said += text
  })
  await expect(new Client(about).connect(unknown)).rejects.toThrow()
  await vi.waitFor(() => expect(said).toMatch(/^This access token is not known/m), 20_000)
  await expect(serveTools({ SOLO_URL: `${address}/`, SOLO_TOKEN: 'solo_1' })).rejects.toThrow(
    /^SOLO_TOKEN: expected a token from Settings, Connections$/m,
  )
  await stop()
})
