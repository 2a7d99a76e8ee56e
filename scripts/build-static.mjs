// `npm run build:static -- --supabase-url … --supabase-anon-key … --public-url … [--out dist/static]`: the pages as
// a folder for any static host, in front of a hosted or self-hosted Supabase project.
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { clientFolder, ensureBuilt, ensureInstalled, requireNode, root } from './setup.mjs'

const usage =
  'Expected: npm run build:static -- --supabase-url https://… --supabase-anon-key … --public-url https://… [--out dist/static]'

requireNode()
const given = readArguments()
await ensureInstalled()

const { runnerImport } = await import('vite')
/** @type {typeof import('../server/settings.ts')} */
const { readSettings } = await load('settings')
/** @type {typeof import('../server/page-settings.ts')} */
const { fillRevision, fillSettings, pageSettings } = await load('page-settings')
/** @type {typeof import('../server/headers.ts')} */
const { securityHeaders } = await load('headers')
/** @type {typeof import('../server/public-pages.ts')} */
const { fillOrigin, namesOrigin, publicPages } = await load('public-pages')
// The server's own reading of the same settings, so that what it refuses is refused here too.
const settings = readProject()
const headers = await responseHeaders()
const out = resolve(root, given.out)
requireOwnFolder(out)

await ensureBuilt()
rmSync(out, { recursive: true, force: true })
// A host compresses by itself.
cpSync(clientFolder, out, {
  recursive: true,
  filter: (file) => !/\.(br|gz)$|screen-files\.json$/.test(file),
})
for (const name of readdirSync(out).filter((each) => namesOrigin(`/${each}`))) {
  const file = join(out, name)
  writeFileSync(file, fillOrigin(readFileSync(file, 'utf8'), settings.publicUrl))
}
const page = join(out, 'app.html')
const html = fillSettings(readFileSync(page, 'utf8'), pageSettings(settings, null))
writeFileSync(page, html)
const worker = join(out, 'worker.js')
writeFileSync(worker, fillRevision(readFileSync(worker, 'utf8'), html))
// For paths that no rule names, on hosts that know no rules at all too: the app opens its own and
// leads every other path to the landing page.
copyFileSync(page, join(out, '404.html'))
writeFileSync(join(out, '_redirects'), redirectRules())
writeFileSync(join(out, '_headers'), headerRules())
writeFileSync(join(out, 'vercel.json'), vercelRules())
console.log(`Wrote ${relative(process.cwd(), out) || out} for ${given.url}`)

/**
 * The target has no ".html": Cloudflare answers such an address with a redirect, Netlify and others
 * find the file either way. There is no rule for all other paths because Cloudflare would apply it
 * to the assets too; 404.html does that.
 */
function redirectRules() {
  return ['/auth /app 200', '/app/* /app 200', ''].join('\n')
}

function headerRules() {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  const forever = '  cache-control: public, max-age=31536000, immutable'
  return ['/*', ...lines, '/assets/*', forever, ''].join('\n')
}

function vercelRules() {
  const all = Object.entries(headers).map(([key, value]) => ({ key, value }))
  const forever = { key: 'cache-control', value: 'public, max-age=31536000, immutable' }
  const application = ['/auth', '/app', '/app/:path*'].map((source) => ({
    source,
    destination: '/app.html',
  }))
  const others = [...publicPages].map(([source, name]) => ({ source, destination: `/${name}` }))
  const rules = {
    rewrites: [...application, ...others],
    headers: [
      { source: '/(.*)', headers: all },
      { source: '/assets/(.*)', headers: [forever] },
    ],
  }
  return `${JSON.stringify(rules, null, 2)}\n`
}

/** What the server would send with each page for this project. */
async function responseHeaders() {
  const { Hono } = await import('hono')
  const app = new Hono().use(securityHeaders(settings)).get('/', (c) => c.body(null))
  return Object.fromEntries((await app.request('/')).headers)
}

function readProject() {
  try {
    return readSettings({
      SUPABASE_URL: given.url,
      SUPABASE_ANON_KEY: given.key,
      PUBLIC_URL: given.publicUrl,
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return stop(
      message
        .replace('SUPABASE_URL', '--supabase-url')
        .replace('SUPABASE_ANON_KEY', '--supabase-anon-key')
        .replace('PUBLIC_URL', '--public-url'),
    )
  }
}

/**
 * Everything in the folder is replaced, so it must be a new one or one that this command wrote.
 * @param {string} folder
 */
function requireOwnFolder(folder) {
  if (!existsSync(folder)) return
  const names = readdirSync(folder)
  if (names.length === 0 || names.includes('_redirects')) return
  stop(`--out is ${folder}, which holds other files: expected a new or empty folder.`)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        'supabase-url': { type: 'string' },
        'supabase-anon-key': { type: 'string' },
        'public-url': { type: 'string' },
        out: { type: 'string', default: 'dist/static' },
      },
    })
    const { 'supabase-url': url, 'supabase-anon-key': key, 'public-url': publicUrl, out } = values
    if (url && key && publicUrl && out) return { url, key, publicUrl, out }
  } catch {
    // An argument we do not know: the usage says which we do.
  }
  return stop(usage)
}

/**
 * One of the server's own files, read from its source.
 * @param {string} name
 * @returns {Promise<any>}
 */
async function load(name) {
  const file = join(root, 'server', `${name}.ts`)
  return (await runnerImport(file, { logLevel: 'warn' })).module
}

/**
 * @param {string} line
 * @returns {never}
 */
function stop(line) {
  console.error(line)
  process.exit(2)
}
