import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const script = join(import.meta.dirname, 'build-static.mjs')
const run = promisify(execFile)
const project = [
  ['--supabase-url', 'https://abc.supabase.co'],
  ['--supabase-anon-key', 'anon-key'],
  ['--public-url', 'https://crm.example.com'],
].flat()

describe('npm run build:static', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'solo-static-'))
    await run(process.execPath, [script, ...project, '--out', join(folder, 'site')])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const read = (name: string) => readFile(join(folder, 'site', name), 'utf8')

  test('writes the settings given as arguments into the page', async () => {
    const [, json = ''] = /id="settings">([^<]*)</.exec(await read('app.html')) ?? []
    expect(JSON.parse(json)).toEqual({
      supabaseUrl: 'https://abc.supabase.co',
      supabaseKey: 'anon-key',
    })
    expect(await read('404.html')).toBe(await read('app.html'))
  })

  test('writes the rules of a host: pages, and headers that allow exactly that project', async () => {
    expect(await read('_redirects')).toBe('/auth /app 200\n/app/* /app 200\n')
    expect(JSON.parse(await read('vercel.json')).rewrites).toContainEqual({
      source: '/app/:path*',
      destination: '/app.html',
    })
    const [policy = ''] = /content-security-policy: .*/i.exec(await read('_headers')) ?? []
    expect(policy).toContain("connect-src 'self' https://abc.supabase.co wss://abc.supabase.co;")
    expect(policy).toContain("script-src 'self';")
  })

  test('holds the public pages, which know their address, and the assets', async () => {
    expect(await read('index.html')).toContain(
      '<link rel="canonical" href="https://crm.example.com/"',
    )
    expect(await read('privacy.html')).toContain('https://crm.example.com/privacy')
    expect(await read('sitemap.xml')).toContain('<loc>https://crm.example.com/terms</loc>')
    expect(await read('robots.txt')).toContain('Sitemap: https://crm.example.com/sitemap.xml')
    const assets = await readdir(join(folder, 'site/assets'))
    expect(assets.length).toBeGreaterThan(5)
    expect(assets.filter((name) => /\.(br|gz)$/.test(name))).toEqual([])
  })

  test.each([
    [[]],
    [['--supabase-url', 'https://abc.supabase.co']],
    [project.slice(0, 4)],
    [[...project.slice(2), '--supabase-url', 'not an address']],
    [[...project, '--colour', 'blue']],
  ])('refuses %j in one line', async (args) => {
    const failure = await run(process.execPath, [script, ...args]).catch((error) => error)
    expect(failure).toMatchObject({ code: 2 })
    expect(failure.stderr.trim().split('\n')).toHaveLength(1)
  })
})
