import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { answerFailure } from './answers.ts'
import { securityHeaders } from './headers.ts'
import type { HttpEnv } from './http-env.ts'
import { fillSettings, type PageSettings } from './page-settings.ts'
import type { Settings } from './settings.ts'
import { StartError } from './start-error.ts'
import { form, loadFiles, type ServedFile, sendFile } from './static-files.ts'

/** Pages and files of the built client; every path that is neither leads home. */
export function createPages(options: {
  settings: Settings
  pageSettings: PageSettings
  clientDir: string
}): Hono<HttpEnv> {
  const { settings, pageSettings, clientDir } = options
  if (!existsSync(join(clientDir, 'app.html')) || !existsSync(join(clientDir, 'index.html'))) {
    throw new StartError(`The client is not built in ${clientDir}: run npm run build first.`)
  }
  const files = loadFiles(clientDir)
  const landing = takePage(files, '/index.html')
  const application = fillPage(takePage(files, '/app.html'), pageSettings)

  const pages = new Hono<HttpEnv>()
  pages.onError(answerFailure)
  pages.use(securityHeaders(settings))
  pages.on(['GET', 'HEAD'], '*', (c) => {
    const { path } = c.req
    const file = files.get(path)
    if (file) return sendFile(c, file)
    if (path === '/') return sendFile(c, landing)
    // A missing asset must not become a page: a script that is HTML fails in ways nobody understands.
    if (path.startsWith('/assets/') || /\.\w+$/.test(path)) {
      return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
    }
    if (/^\/(?:auth\/?|app(?:\/.*)?)$/.test(path)) return sendFile(c, application)
    c.header('Cache-Control', 'no-store')
    return c.redirect('/', 302)
  })
  pages.all('*', (c) =>
    c.text('Method not allowed', 405, { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }),
  )
  return pages
}

/** Pages have addresses of their own; under its file name the page would lack its settings. */
function takePage(files: Map<string, ServedFile>, path: string): ServedFile {
  const page = files.get(path)
  if (!page) throw new Error(`${path} is not a file`)
  files.delete(path)
  return page
}

function fillPage(page: ServedFile, settings: PageSettings): ServedFile {
  const plain = page.forms.find((each) => each.encoding === 'identity')
  const html = fillSettings(new TextDecoder().decode(plain?.bytes), settings)
  const bytes = new TextEncoder().encode(html)
  return {
    type: page.type,
    // Holds the address and key of this very start.
    cacheControl: 'no-store',
    forms: [
      form('br', new Uint8Array(brotliCompressSync(bytes))),
      form('gzip', new Uint8Array(gzipSync(bytes))),
      form('identity', bytes),
    ],
  }
}
