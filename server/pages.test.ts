import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fillSettings } from './page-settings.ts'
import { StartError } from './start-error.ts'
import { rawRequest, sendBytes, serveApp, temporaryFolder, writeClient } from './test-server.ts'

const script = 'console.log("plain")'

describe('pages', () => {
  it('shows the landing page at / and lets browsers ask whether it changed', async () => {
    const { port } = await serveApp()
    const first = await rawRequest(port, '/')
    expect(first.status).toBe(200)
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(first.headers['cache-control']).toBe('no-cache')
    expect(first.body.toString()).toBe('<h1>landing</h1>')
    const etag = first.headers.etag ?? ''
    const again = await rawRequest(port, '/', { headers: { 'If-None-Match': `"x", W/${etag}` } })
    expect(again.status).toBe(304)
    expect(again.body.length).toBe(0)
    const other = await rawRequest(port, '/', { headers: { 'If-None-Match': '"other"' } })
    expect(other.status).toBe(200)
  })

  it('shows the other public pages, and tells everywhere the address people know it by', async () => {
    const clientDir = writeClient({
      'privacy.html': '<link rel="canonical" href="https://solo.invalid/privacy" />',
      'sitemap.xml': '<loc>https://solo.invalid/</loc>',
      'robots.txt': 'Sitemap: https://solo.invalid/sitemap.xml',
    })
    const { port } = await serveApp({ clientDir, env: { PUBLIC_URL: 'https://crm.example.com' } })
    const told = async (path: string) => (await rawRequest(port, path)).body.toString()
    expect(await told('/privacy')).toBe(
      '<link rel="canonical" href="https://crm.example.com/privacy" />',
    )
    expect(await told('/terms')).toBe('<h1>terms</h1>')
    expect(await told('/sitemap.xml')).toBe('<loc>https://crm.example.com/</loc>')
    expect(await told('/robots.txt')).toBe('Sitemap: https://crm.example.com/sitemap.xml')
    expect((await rawRequest(port, '/privacy.html')).status).toBe(404)
  })

  it.each(['/auth', '/auth/', '/app', '/app/', '/app/contacts', '/app/contacts/1?tab=x'])(
    'shows the application at %s, with its settings and never from a cache',
    async (path) => {
      const { port } = await serveApp()
      const answer = await rawRequest(port, path)
      expect(answer.status).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.body.toString()).toContain(
        '<script type="application/json" id="settings">{"supabaseUrl":"","supabaseKey":"sb_publishable_test"}</script>',
      )
    },
  )

  it('names what a screen loads in the page of that screen, for a document only', async () => {
    const files = {
      contacts: ['/assets/list.js', '/assets/list.css'],
      deals: ['/assets/deals.js'],
      'deals?view=board': ['/assets/board.js'],
      'deals/:id': ['/assets/d.js'],
      'settings/import': ['/assets/import.js'],
    }
    const clientDir = writeClient({
      'app.html': '<head></head><script type="application/json" id="settings">{}</script>',
      'screen-files.json': JSON.stringify(files),
    })
    const { port } = await serveApp({ clientDir })
    const page = async (path: string, dest: string | null = 'document') => {
      const headers: Record<string, string> = dest === null ? {} : { 'Sec-Fetch-Dest': dest }
      return (await rawRequest(port, path, { headers })).body.toString()
    }
    const links =
      '<link rel="modulepreload" crossorigin href="/assets/list.js">' +
      '<link rel="stylesheet" crossorigin href="/assets/list.css"></head>'
    expect(await page('/app/contacts')).toContain(links)
    expect(await page('/app/contacts/')).toContain(links)
    expect(await page('/app/deals/4c03')).toContain('href="/assets/d.js"')
    expect(await page('/app/settings/import')).toContain('href="/assets/import.js"')
    expect(await page('/app/deals?view=board&q=a')).toContain('href="/assets/board.js"')
    expect(await page('/app/deals?view=list')).toContain('href="/assets/deals.js"')
    // Browsers do not say what a request is for where the address is not trusted: plain HTTP in a home network.
    expect(await page('/app/contacts', null)).toContain(links)
    for (const other of ['/app', '/app/contacts/new/x', '/app/settings/__proto__', '/auth']) {
      expect(await page(other)).not.toContain('<link')
    }
    // The worker keeps one page for all screens.
    expect(await page('/app/contacts', 'empty')).not.toContain('<link')
    expect((await rawRequest(port, '/screen-files.json')).status).toBe(404)
  })

  it('gives the browser the address of a hosted project', async () => {
    const env = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'anon' }
    const { port } = await serveApp({ env, backend: null })
    const page = await rawRequest(port, '/app', { headers: { 'Accept-Encoding': 'br' } })
    expect(page.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(page.body).toString()).toContain(
      '{"supabaseUrl":"https://abc.supabase.co","supabaseKey":"anon"}',
    )
  })

  it.each(['/nope', '/application', '/auth/x', '/authentic', '/contacts/1', '/.git/config'])(
    'leads from %s home',
    async (path) => {
      const { port } = await serveApp()
      const answer = await rawRequest(port, path)
      expect(answer.status).toBe(302)
      expect(answer.headers.location).toBe('/')
    },
  )

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s', async (method) => {
    const { port } = await serveApp()
    for (const path of ['/', '/app', '/assets/app-1a2b.js', '/nope']) {
      const answer = await rawRequest(port, path, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
  })

  it('does not start without a built client', async () => {
    await expect(serveApp({ clientDir: temporaryFolder() })).rejects.toThrow(StartError)
  })
})

describe('files', () => {
  it('sends the form the browser likes best, and keeps hashed names for a year', async () => {
    const clientDir = writeClient({
      'assets/app-1a2b.js.br': brotliCompressSync(script),
      'assets/app-1a2b.js.gz': gzipSync(script),
    })
    const { port } = await serveApp({ clientDir })
    const decode = {
      br: (body: Buffer) => brotliDecompressSync(body),
      gzip: (body: Buffer) => gunzipSync(body),
      identity: (body: Buffer) => body,
    }
    const tags = new Set<string | undefined>()
    for (const encoding of ['br', 'gzip', 'identity'] as const) {
      const headers = { 'Accept-Encoding': `${encoding}, deflate;q=0.1` }
      const answer = await rawRequest(port, '/assets/app-1a2b.js', { headers })
      expect(decode[encoding](answer.body).toString()).toBe(script)
      expect(answer.headers['content-encoding'] ?? 'identity').toBe(encoding)
      expect(answer.headers.vary).toBe('Accept-Encoding')
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
      tags.add(answer.headers.etag)
      const head = await rawRequest(port, '/assets/app-1a2b.js', { method: 'HEAD', headers })
      expect(head.status).toBe(200)
      expect(head.headers['content-length']).toBe(String(answer.body.length))
      expect(head.body.length).toBe(0)
    }
    expect(tags.size).toBe(3)
  })

  it('knows the types, and asks again for names without a hash', async () => {
    const clientDir = writeClient({
      'icon.svg': '<svg/>',
      'site.webmanifest': '{}',
      'assets/inter.woff2': 'x',
      'with space.txt': 'x',
    })
    const { port } = await serveApp({ clientDir })
    const icon = await rawRequest(port, '/icon.svg')
    expect(icon.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(icon.headers['cache-control']).toBe('no-cache')
    const font = await rawRequest(port, '/assets/inter.woff2')
    expect(font.headers['content-type']).toBe('font/woff2')
    const manifest = await rawRequest(port, '/site.webmanifest')
    expect(manifest.headers['content-type']).toBe('application/manifest+json')
    expect((await rawRequest(port, '/with%20space.txt')).status).toBe(200)
  })

  it.each([
    '/assets/gone.js',
    '/assets/',
    '/assets/gone',
    '/favicon.ico',
    '/app/gone.js',
    '/app.html',
    '/index.html',
    '/app.html.br',
    '/.env',
  ])('answers 404 for %s', async (path) => {
    const clientDir = writeClient({ '.env': 'secret', 'app.html.br': 'x' })
    const { port } = await serveApp({ clientDir })
    const answer = await rawRequest(port, path)
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(answer.body.toString()).toBe('Not found')
  })

  it('gives the worker another revision of the app when a setting is another', async () => {
    const clientDir = writeClient({ 'worker.js': "keep('/app', 'revision-of-the-app')" })
    const told = async (SUPABASE_ANON_KEY: string) => {
      const env = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY }
      const { port } = await serveApp({ clientDir, env, backend: null })
      return rawRequest(port, '/worker.js')
    }
    const [one, same, other] = [await told('one'), await told('one'), await told('other')]
    expect(one.body.toString()).toMatch(/^keep\('\/app', '[\w-]{22}'\)$/)
    expect(same.body.toString()).toBe(one.body.toString())
    expect(other.body.toString()).not.toBe(one.body.toString())
    expect(one.headers['cache-control']).toBe('no-cache')
  })

  it('leads what is shared before there is a worker to the page that says so', async () => {
    const { port } = await serveApp()
    const answer = await rawRequest(port, '/app/open/shared', { method: 'POST' })
    expect([answer.status, answer.headers.location]).toEqual([303, '/app/open/shared'])
  })

  it('never leaves its folder', async () => {
    const clientDir = writeClient()
    writeFileSync(join(clientDir, '../secret.txt'), 'secret')
    symlinkSync(join(clientDir, '../secret.txt'), join(clientDir, 'linked.txt'))
    symlinkSync(join(clientDir, '..'), join(clientDir, 'assets/up'))
    const { port } = await serveApp({ clientDir })
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
      '/assets/%252e%252e%252fsecret.txt',
      '/assets/..\\..\\secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/secret.txt%00.js',
      `/${join(clientDir, '../secret.txt')}`,
      '//secret.txt',
      '/linked.txt',
      '/assets/up/secret.txt',
      '/assets/%E0%A4%A',
      'http://127.0.0.1/../secret.txt',
    ]) {
      const answer = await sendBytes(
        port,
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
      )
      expect(answer, path).toMatch(/^HTTP\/1\.1 (400|404) /)
      expect(answer, path).not.toContain('secret')
    }
    expect((await rawRequest(port, '/')).status).toBe(200)
  })
})

describe('fillSettings', () => {
  const page = '<script type="application/json" id="settings">{}</script><p>rest</p>'

  it('lets no value out of the block', () => {
    const settings = { supabaseUrl: '</script><!--<script>', supabaseKey: "$& $' \u2028&" }
    const html = fillSettings(page, settings)
    const json = /id="settings">(.*?)<\/script><p>rest<\/p>$/.exec(html)?.[1] ?? ''
    expect(json).not.toMatch(/[<>&\u2028]/)
    expect(JSON.parse(json)).toEqual(settings)
  })

  it('fails on a page without the block', () => {
    expect(() => fillSettings('<p></p>', { supabaseUrl: '', supabaseKey: '' })).toThrow()
  })
})

describe('videos', () => {
  const film = Buffer.from('0123456789')

  it.each([
    ['bytes=0-', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    [undefined, 200, '0123456789', undefined],
  ])('of %s answer %i with %s', async (range, status, body, told) => {
    const { port } = await serveApp({ clientDir: writeClient({ 'assets/film-1a2b.webm': film }) })
    const headers: Record<string, string> = range === undefined ? {} : { Range: range }
    const answer = await rawRequest(port, '/assets/film-1a2b.webm', { headers })
    expect(answer.status).toBe(status)
    expect(answer.body.toString()).toBe(body)
    expect(answer.headers['content-range']).toBe(told)
    expect(answer.headers['accept-ranges']).toBe('bytes')
    expect(answer.headers['content-type']).toBe('video/webm')
  })
})
