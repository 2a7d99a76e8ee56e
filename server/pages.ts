import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { answerFailure } from './answers.ts'
import { securityHeaders } from './headers.ts'
import type { HttpEnv } from './http-env.ts'
import { fillRevision, fillSettings, type PageSettings } from './page-settings.ts'
import { fillOrigin, namesOrigin, publicPages } from './public-pages.ts'
import { type ScreenFiles, screenFilesPath, screensOf, withScreenFiles } from './screen-files.ts'
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
  if (!['app.html', ...publicPages.values()].every((name) => existsSync(join(clientDir, name)))) {
    throw new StartError(`The client is not built in ${clientDir}: run npm run build first.`)
  }
  const files = loadFiles(clientDir)
  const application = {
    ...filled(takePage(files, '/app.html'), (html) => fillSettings(html, pageSettings)),
    // Contains the address and key of this start.
    cacheControl: 'no-store',
  }
  const screens = new Map(
    Object.entries(takeScreenFiles(files)).map(([screen, named]) => [
      screen,
      filled(application, (html) => withScreenFiles(html, named)),
    ]),
  )
  const worker = files.get('/worker.js')
  if (worker) {
    const fill = (text: string) => fillRevision(text, textOf(application))
    files.set('/worker.js', filled(worker, fill))
  }
  for (const [path, file] of files) {
    if (namesOrigin(path)) {
      files.set(
        path,
        filled(file, (text) => fillOrigin(text, settings.publicUrl)),
      )
    }
  }
  for (const [path, name] of publicPages) {
    files.set(path, takePage(files, `/${name}`))
  }

  const pages = new Hono<HttpEnv>()
  pages.onError(answerFailure)
  pages.use(securityHeaders(settings))
  pages.on(['GET', 'HEAD'], '*', (c) => {
    const { path } = c.req
    const file = files.get(path)
    if (file) return sendFile(c, file)
    // A missing asset must not be answered with a page: HTML in place of a script fails with confusing errors.
    if (path.startsWith('/assets/') || /\.\w+$/.test(path)) {
      return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
    }
    if (/^\/(?:auth\/?|app(?:\/.*)?)$/.test(path)) {
      // The worker keeps one page for all screens. Browsers say what a request is for to trusted addresses only, not
      // over plain HTTP in a home network, where there is no worker either.
      const isOfScreen = (c.req.header('sec-fetch-dest') ?? 'document') === 'document'
      const screen = isOfScreen && screensOf(path, c.req.query()).find((name) => screens.has(name))
      return sendFile(c, (screen && screens.get(screen)) || application)
    }
    c.header('Cache-Control', 'no-store')
    return c.redirect('/', 302)
  })
  // Shared by another app before the worker was there, which would have kept it: the page tells the user.
  pages.post('/app/open/shared', (c) => {
    c.header('Cache-Control', 'no-store')
    return c.redirect('/app/open/shared', 303)
  })
  pages.all('*', (c) =>
    c.text('Method not allowed', 405, { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }),
  )
  return pages
}

/** Removes a page from the files: served under its file name it would lack its settings. */
function takePage(files: Map<string, ServedFile>, path: string): ServedFile {
  const page = files.get(path)
  if (!page) throw new Error(`${path} is not a file`)
  files.delete(path)
  return page
}

/** Takes the list of what each screen loads, which is for the server alone. */
function takeScreenFiles(files: Map<string, ServedFile>): ScreenFiles {
  const list = files.get(screenFilesPath)
  files.delete(screenFilesPath)
  return list ? JSON.parse(textOf(list)) : {}
}

/** The page with values of this start filled in. */
function filled(page: ServedFile, fill: (text: string) => string): ServedFile {
  const bytes = new TextEncoder().encode(fill(textOf(page)))
  return {
    ...page,
    forms: [
      form('br', new Uint8Array(brotliCompressSync(bytes))),
      form('gzip', new Uint8Array(gzipSync(bytes))),
      form('identity', bytes),
    ],
  }
}

function textOf(page: ServedFile): string {
  const plain = page.forms.find((each) => each.encoding === 'identity')
  return new TextDecoder().decode(plain?.bytes)
}
