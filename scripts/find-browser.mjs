// Finds a Chromium that really starts. By hand: node scripts/find-browser.mjs
import { execFile, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { root } from './setup.mjs'

/** @typedef {{ executablePath: string, libraryPath?: string }} Browser */

const isRoot = process.getuid?.() === 0

/** Chromium refuses its sandbox to root; nobody else should go without it. */
export const browserFlags = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A whole Chromium draws its address bar as two pages of its own for each window: half the work.
  // The last such list counts, so what Playwright switches off itself stands here too.
  `--disable-features=${[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'AimEnabled',
    'PreloadTopChromeWebUI',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
  ].join()}`,
  '--disable-gpu-rasterization',
]

/**
 * @param {(line: string) => void} say
 * @returns {Promise<Browser>}
 */
export async function findBrowser(say = () => {}) {
  const chosen = process.env.CHROME_PATH
  if (chosen) {
    const browser = { executablePath: chosen }
    if (await starts(browser)) return browser
    say(`CHROME_PATH is set to ${chosen}, but that does not start. Looking further.`)
  }
  for (const executablePath of installedBrowsers()) {
    if (await starts({ executablePath })) return { executablePath }
  }
  const packaged = await packagedBrowser()
  if (packaged) return packaged
  if (isRoot && installDebianChromium(say)) {
    const browser = { executablePath: '/usr/bin/chromium-headless-shell' }
    if (await starts(browser)) return browser
  }
  throw new Error(
    'No Chromium or Chrome was found that starts. Install one (Debian: apt-get install chromium), ' +
      'or set CHROME_PATH to its program file.',
  )
}

/**
 * What a process needs in its environment to start this browser.
 * @param {Browser} browser
 */
export function browserEnvironment({ libraryPath }) {
  if (!libraryPath) return {}
  const known = process.env.LD_LIBRARY_PATH
  return { LD_LIBRARY_PATH: known ? `${libraryPath}${delimiter}${known}` : libraryPath }
}

/**
 * Starts it the way the tests do and reads a page. A version alone would prove little: a missing
 * library may show only when something is drawn.
 * @param {Browser} browser
 */
async function starts(browser) {
  const { executablePath } = browser
  if (!isExecutable(executablePath)) return false
  const { chromium } = await import('@playwright/test')
  const env = { ...process.env, ...browserEnvironment(browser) }
  try {
    const running = await chromium.launch({
      executablePath,
      env,
      args: browserFlags,
      timeout: 30_000,
    })
    try {
      const page = await running.newPage()
      await page.goto('data:text/html,<p>started</p>')
      return (await page.textContent('p')) === 'started'
    } finally {
      await running.close()
    }
  } catch {
    return false
  }
}

function installedBrowsers() {
  // First the one without windows: a page costs it two thirds of what it costs a whole browser.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ]
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  if (process.platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium'].map((name) => `${name}.app/Contents/MacOS/${name}`)
    const places = ['/Applications', join(process.env.HOME ?? '', 'Applications')]
    onPath.push(...places.flatMap((place) => apps.map((app) => join(place, app))))
  }
  if (process.platform === 'win32') {
    const places = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    for (const place of places) {
      const base = process.env[place]
      if (base) onPath.push(join(base, 'Google', 'Chrome', 'Application', 'chrome.exe'))
      if (base) onPath.push(join(base, 'Chromium', 'Application', 'chrome.exe'))
    }
  }
  return onPath.filter(existsSync)
}

/**
 * The Chromium in the npm package, which is for Linux only. It brings the system libraries that a
 * bare machine lacks; they are tried second, since a machine's own fit it better.
 * @returns {Promise<Browser | undefined>}
 */
async function packagedBrowser() {
  if (process.platform !== 'linux') return undefined
  const folder = join(root, '.cache', 'chromium')
  // A second try from nothing, because an interrupted unpacking leaves half a program behind.
  for (const attempt of [1, 2]) {
    if (attempt === 2) rmSync(folder, { recursive: true, force: true })
    const executablePath = await unpack(folder)
    if (!executablePath) continue
    if (await starts({ executablePath })) return { executablePath }
    const browser = { executablePath, libraryPath: join(folder, 'al2023', 'lib') }
    if (await starts(browser)) return browser
  }
  return undefined
}

/**
 * The package unpacks into the folder for temporary files and decides by the environment whether to
 * bring its libraries; so it runs in a process of its own with both set.
 * @param {string} folder
 */
async function unpack(folder) {
  mkdirSync(folder, { recursive: true })
  const program =
    "const { default: chromium } = await import('@sparticuz/chromium');" +
    'console.log(await chromium.executablePath())'
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        cwd: root,
        timeout: 120_000,
        env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
      },
    )
    return stdout.trim()
  } catch {
    return undefined
  }
}

/** @param {(line: string) => void} say */
function installDebianChromium(say) {
  if (!existsSync('/etc/debian_version')) return false
  say('Installing Chromium with apt-get …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = /** @type {const} */ ({ env, stdio: 'ignore', timeout: 600_000 })
  spawnSync('apt-get', ['update'], options)
  const args = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']
  return spawnSync('apt-get', args, options).status === 0
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await findBrowser(console.error))
}
