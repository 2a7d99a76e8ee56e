import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const installs = 'Installing the packages …'
const builds = 'Building …'
const serves = 'Serving'

/** Installs what the lock names, in no time: the one package that the build imports. */
const npm = `
  import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
  if (process.env.NPM_FAILS) process.exit(7)
  if (process.argv[2] !== 'ci') process.exit(9)
  mkdirSync('node_modules/vite', { recursive: true })
  writeFileSync('node_modules/vite/package.json', '{"type":"module","exports":"./index.js"}')
  cpSync('vite.js', 'node_modules/vite/index.js')
  cpSync('package-lock.json', 'node_modules/.package-lock.json')`

/** Stands in for the packager: one file for the pages, one for the server. */
const vite = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  export async function build({ configFile }) {
    if (process.env.BUILD_FAILS) throw new Error('The sources cannot be read.')
    const isServer = configFile.endsWith('vite.server.config.ts')
    const [folder, file, text] = isServer
      ? ['dist/server', 'main.js', 'console.log("${serves}")']
      : ['dist/client', 'index.html', '<h1>landing</h1>']
    mkdirSync(folder, { recursive: true })
    writeFileSync(folder + '/' + file, text)
  }`

// A checkout in miniature: the scripts are ours, what they call is quick.
describe('npm start', () => {
  let checkout = ''
  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'solo-checkout-'))
    for (const name of ['setup.mjs', 'start.mjs', 'build.mjs']) {
      await cp(join(import.meta.dirname, name), join(checkout, 'scripts', name))
    }
    await write('package.json', '{"type":"module","engines":{"node":">=20.19"}}')
    await writeLock('1.0.0')
    await write('npm.js', npm)
    await write('vite.js', vite)
    await write('src/main.ts', 'first')
    await write('domain/money.test.ts', 'first')
  })
  afterEach(() => rm(checkout, { recursive: true, force: true }))

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(checkout, path)), { recursive: true })
    await writeFile(join(checkout, path), text)
  }

  function writeLock(version: string): Promise<void> {
    return write(
      'package-lock.json',
      JSON.stringify({ packages: { 'node_modules/x': { version } } }),
    )
  }

  /** What a start says it does, in order. */
  async function start(env: Record<string, string> = {}): Promise<string[]> {
    const { stdout } = await run(process.execPath, ['scripts/start.mjs'], {
      cwd: checkout,
      env: { PATH: process.env.PATH, npm_execpath: join(checkout, 'npm.js'), ...env },
    })
    return stdout.split('\n').filter((line) => [installs, builds, serves].includes(line))
  }

  test('installs and builds on a fresh clone, and the second time neither', async () => {
    expect(await start()).toEqual([installs, builds, serves])
    expect(await start()).toEqual([serves])
    expect(await readFile(join(checkout, 'dist/client/index.html.br'))).not.toHaveLength(0)
  })

  test('builds when a source was changed, added or taken away, and installs nothing', async () => {
    await start()
    await write('src/main.ts', 'second')
    expect(await start()).toEqual([builds, serves])
    await write('server/new.ts', '')
    expect(await start()).toEqual([builds, serves])
    await rm(join(checkout, 'server/new.ts'))
    expect(await start()).toEqual([builds, serves])
    expect(await start()).toEqual([serves])
  })

  test('builds nothing for the same text written again, nor for a test', async () => {
    await start()
    await write('src/main.ts', 'first')
    await write('domain/money.test.ts', 'second')
    expect(await start()).toEqual([serves])
  })

  test('installs when the lock names other packages than there are', async () => {
    await start()
    await writeLock('1.0.1')
    expect(await start()).toEqual([installs, builds, serves])
    expect(await start()).toEqual([serves])
    await rm(join(checkout, 'node_modules/.package-lock.json'))
    expect(await start()).toEqual([installs, serves])
  })

  test('goes no further when it cannot install, and begins again the next time', async () => {
    const failure = await start({ NPM_FAILS: 'yes' }).catch((error) => error)
    expect(failure).toMatchObject({ code: 7, stdout: `${installs}\n` })
    expect(failure.stderr).toBe('The packages could not be installed: npm says why above.\n')
    expect(await start()).toEqual([installs, builds, serves])
  })

  test('does not take a build that failed for a finished one', async () => {
    await start()
    await write('src/main.ts', 'second')
    const failure = await start({ BUILD_FAILS: 'yes' }).catch((error) => error)
    expect(failure).toMatchObject({ code: 1, stdout: `${builds}\n` })
    // The old text again: what the failed build left behind is not trusted either.
    await write('src/main.ts', 'first')
    expect(await start()).toEqual([builds, serves])
  })
})
