// What every command needs before it can do its work: the right Node, the packages, the build.
// Plain JavaScript without packages, because on a fresh clone there are none yet.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const clientFolder = join(root, 'dist', 'client')
export const serverEntry = join(root, 'dist', 'server', 'main.js')
export const mcpEntry = join(root, 'dist', 'server', 'mcp.js')
export const buildStamp = join(root, 'dist', 'build-stamp')

/** Everything the build reads. An edit to any of these makes the next start build again. */
const buildInputs = [
  'app.html',
  'index.html',
  'privacy.html',
  'terms.html',
  'package-lock.json',
  'package.json',
  'postcss.config.mjs',
  'tsconfig.json',
  'vite.config.ts',
  'vite.server.config.ts',
  'vite.worker.config.ts',
  'domain',
  'public',
  'scripts/build.mjs',
  'scripts/html-pages.ts',
  'scripts/modules-of.ts',
  'scripts/screen-files.ts',
  'server',
  'src',
]

/** Stops with one line when this Node is older than package.json asks for. */
export function requireNode() {
  const { engines } = readJson(join(root, 'package.json'))
  const [wantedMajor, wantedMinor] = engines.node.replace(/^\D+/, '').split('.').map(Number)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  const wanted = `${wantedMajor}.${wantedMinor}`
  console.error(`Solo CRM needs Node ${wanted} or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}

/** Runs `npm ci` unless node_modules already holds exactly what package-lock.json names. */
export async function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing the packages …')
  const started = Date.now()
  // The build needs the development packages even where NODE_ENV is "production".
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-update-notifier']
  const code = await runNpm(args)
  if (code !== 0) {
    console.error('The packages could not be installed: npm says why above.')
    process.exit(code)
  }
  console.log(`Packages installed in ${seconds(started)}.`)
}

/**
 * Builds unless the last finished build was made from these very sources.
 * @param {import('node:child_process').StdioOptions} [stdio]
 */
export async function ensureBuilt(stdio = 'inherit') {
  if (isBuilt()) return
  const code = await run(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio })
  if (code !== 0) process.exit(code)
}

export function sourcesHash() {
  const hash = createHash('sha256')
  for (const file of buildInputs.flatMap(filesUnder).sort()) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(join(root, file)))
    hash.update('\0')
  }
  return hash.digest('hex')
}

/**
 * Runs a program with our own input and output and resolves to its exit code. A signal that ends us
 * ends it first, so that nothing goes on unseen.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => child.kill(signal)
    process.on('SIGINT', forward).on('SIGTERM', forward)
    const settle = () => process.off('SIGINT', forward).off('SIGTERM', forward)
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', (code, signal) => {
      settle()
      if (signal === 'SIGINT' || signal === 'SIGTERM') process.kill(process.pid, signal)
      resolve(code ?? 1)
    })
  })
}

/**
 * npm starts us through a shell, and a shell that is told to stop does not tell us: it is just gone. So
 * its end is ours.
 * @param {string} script the name under which npm runs us
 */
export function endWithShell(script) {
  if (process.env.npm_lifecycle_event !== script) return
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}

/** @param {number} started */
export function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}

/** @param {string[]} args */
function runNpm(args) {
  const npm = process.env.npm_execpath
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...args])
  return run('npm', args, { shell: process.platform === 'win32' })
}

// npm writes its record of node_modules last, so an interrupted install leaves none that matches.
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readJson(record).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    // Packages for other systems are optional and stay away.
    if (!found) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function isBuilt() {
  if (!existsSync(buildStamp) || !existsSync(serverEntry)) return false
  return readFileSync(buildStamp, 'utf8') === sourcesHash()
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`
    if (entry.isDirectory()) return filesUnder(inner)
    return /\.test\.tsx?$/.test(entry.name) ? [] : [inner]
  })
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
