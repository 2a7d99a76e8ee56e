// `npm run dev`: Vite with hot reload in front of the same backend, in one process. An edit to the
// server's sources needs a restart, because the open database belongs to the running one.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { endWithShell, ensureInstalled, requireNode, root } from './setup.mjs'

requireNode()
process.chdir(root)
endWithShell('dev')
await ensureInstalled()

const { createServer: createVite } = await import('vite')
const { getRequestListener } = await import('@hono/node-server')

const server = createServer()
const vite = await createVite({
  configFile: join(root, 'vite.config.ts'),
  server: {
    middlewareMode: true,
    hmr: { server },
    // Vite serves what lies under its root; the data and its keys are nobody's to read.
    fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/data/**'] },
    // The database writes all the time.
    watch: { ignored: ['**/data/**', '**/dist/**', '**/.cache/**', '**/test-results/**'] },
  },
})

/** @type {typeof import('../server/settings.ts')} */
const { readSettings, addressOf } = await load('settings')
/** @type {typeof import('../server/mail/mailbox.ts')} */
const { createMailbox } = await load('mail/mailbox')
/** @type {typeof import('../server/open-backend.ts')} */
const { openBackend } = await load('open-backend')
/** @type {typeof import('../server/backend-routes.ts')} */
const { createBackendRoutes } = await load('backend-routes')
/** @type {typeof import('../server/live/live-server.ts')} */
const { createLiveServer } = await load('live/live-server')
/** @type {typeof import('../server/page-settings.ts')} */
const { fillSettings, pageSettings } = await load('page-settings')
/** @type {typeof import('../server/public-pages.ts')} */
const { fillOrigin, publicPages } = await load('public-pages')

const settings = await readOrStop(() => readSettings(process.env), 2)
const mailbox = createMailbox(settings)
const backend = await readOrStop(
  () => (settings.backend.kind === 'supabase' ? null : openBackend(settings, mailbox)),
  1,
)
const routes = createBackendRoutes({ settings, backend })
const answerData = getRequestListener(routes.fetch, { hostname: settings.host })

server.on('request', (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  if (/^\/(health$|mcp$|(calendar|cards|f)\/|(auth|rest|api)\/v1\/)/.test(pathname)) {
    answerData(request, response)
    return
  }
  vite.middlewares(request, response, () => {
    answerPage(pathname, response).catch((error) => {
      vite.ssrFixStacktrace(error)
      console.error(error)
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error.stack))
    })
  })
})
const live = createLiveServer({ settings, backend })
server.on('upgrade', (request, socket, head) => {
  // Vite answers its own, by another listener.
  if (request.url?.startsWith('/realtime/v1/')) live.upgrade(request, socket, head)
})
server.on('error', (error) => stopWith(error, 1))
server.listen(settings.port, settings.host, () => {
  console.log(`Solo CRM is ready for development at ${addressOf(settings.host, settings.port)}`)
})

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, async () => {
    server.close()
    await live.close()
    server.closeAllConnections()
    await vite.close()
    await backend?.close()
    mailbox.close()
    process.exit(0)
  })
}

/**
 * @param {string} pathname
 * @param {import('node:http').ServerResponse} response
 */
async function answerPage(pathname, response) {
  const publicPage = publicPages.get(pathname)
  if (publicPage) return sendPage(pathname, publicPage, response)
  if (/\.\w+$/.test(pathname)) return response.writeHead(404).end('Not found')
  if (/^\/(?:auth\/?|app(?:\/.*)?)$/.test(pathname)) return sendPage(pathname, 'app.html', response)
  response.writeHead(302, { Location: '/' }).end()
}

/**
 * @param {string} pathname
 * @param {string} file
 * @param {import('node:http').ServerResponse} response
 */
async function sendPage(pathname, file, response) {
  const source = readFileSync(join(root, file), 'utf8')
  const filled =
    file === 'app.html'
      ? fillSettings(source, pageSettings(settings, backend))
      : fillOrigin(source, settings.publicUrl)
  const html = await vite.transformIndexHtml(pathname, filled)
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
}

/**
 * One of the server's own files, read from its source.
 * @param {string} name
 * @returns {Promise<any>}
 */
function load(name) {
  return vite.ssrLoadModule(`/server/${name}.ts`)
}

/**
 * @template Value
 * @param {() => Value | Promise<Value>} read
 * @param {number} code
 */
async function readOrStop(read, code) {
  try {
    return await read()
  } catch (error) {
    return stopWith(error, code)
  }
}

/**
 * @param {unknown} error
 * @param {number} code
 * @returns {never}
 */
function stopWith(error, code) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(code)
}
