// `npm test`: everything that can be checked, in one run that ends in "N passed, N failed".
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { ensureInstalled, requireNode, root, seconds } from './setup.mjs'

/**
 * @typedef {{ name: string, why: string }} Failure
 * @typedef {{ passed: number, failures: Failure[], skipped: string[] }} Counts
 * @typedef {{ code: number, output: string }} Outcome
 */

requireNode()
process.chdir(root)
await ensureInstalled()

const cache = join(root, '.cache')
const pageReport = join(cache, 'vitest-page.json')
const rulesReport = join(cache, 'vitest-rules.json')
const vitestReport = join(cache, 'vitest.json')
const playwrightReport = join(cache, 'playwright.json')
const postgresStatus = join(cache, 'postgres-status')
const mailServers = join(cache, 'mail-servers')
mkdirSync(cache, { recursive: true })
// What an earlier run wrote must not pass for what this one found.
const reports = [pageReport, rulesReport, vitestReport, playwrightReport]
for (const file of [...reports, postgresStatus, mailServers]) {
  rmSync(file, { force: true, recursive: true })
}
// A migrated database: see supabase/tests/embedded-template.ts.
process.env.KEPT_TEMPLATE = mkdtempSync(join(cache, 'template-'))
process.on('exit', () => rmSync(process.env.KEPT_TEMPLATE ?? '', { recursive: true, force: true }))

/** The project of the tests of the page that put modules of their own in place of ours. */
const ownModules = 'src, each by itself'

/** @type {{ passed: number, failed: number, skipped: string[] }} */
const total = { passed: 0, failed: 0, skipped: [] }

// For two cores: checks without a server wait in one line, the longest first, and a free core takes the next. After that
// each kind of test runs alone, because a test that has to wait for a processor fails for no reason. The search for a
// browser runs beside them: it may have to install one.
const line = [
  () =>
    tests('tests of the rules', rulesReport, countVitest, () =>
      vitest(rulesReport, '--project=domain', `--project=${ownModules}`, '--maxWorkers=1'),
    ),
  () =>
    tests('tests of the page', pageReport, countVitest, () =>
      vitest(pageReport, '--project=src', '--maxWorkers=1'),
    ),
  () => check('build', () => node('scripts/build.mjs')),
  // Several checkers each look at what the others look at too: half the work is done twice.
  () => check('types', () => bin('typescript/bin/tsc', '--noEmit', '--checkers', '1')),
  () =>
    check('database to begin with', () =>
      node('scripts/run.mjs', 'supabase/tests/make-template.ts', process.env.KEPT_TEMPLATE ?? ''),
    ),
  () =>
    check('format and lint', () => bin('@biomejs/biome/bin/biome', 'check', '--error-on-warnings')),
  () => check('dead code', () => bin('knip/bin/knip.js', '--no-progress')),
]
async function workThroughLine() {
  for (let next = line.shift(); next; next = line.shift()) await next()
}
const [browser] = await Promise.all([
  check('browser', lookForBrowser),
  workThroughLine(),
  workThroughLine(),
])
await tests('database and server tests', vitestReport, countVitest, () =>
  // Projects are named, because several exclusions undo each other: each lets in what the others exclude. One worker more
  // than processors: while a test waits for a server to give up, another goes on. It took 277 s instead of 343.
  vitest(
    vitestReport,
    ...['--project=server*', '--project=database', '--project=security'],
    '--maxWorkers=3',
  ),
)
await tests('browser tests', playwrightReport, countPlaywright, async () => {
  if (browser.code !== 0) return { code: 1, output: 'There is no browser to run them in.' }
  const projects = ['--project=desktop', '--project=phone']
  return bin('@playwright/test/cli.js', 'test', ...projects, '--reporter=list,json')
})

for (const name of total.skipped) console.log(`Skipped: ${name}`)
/** @param {string} file */
const statusIn = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : 'absent')
console.log(`PostgreSQL: ${statusIn(postgresStatus)}`)
console.log(`mail servers: ${mailServersIn(mailServers)}`)
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : ''
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 ? 1 : 0

/**
 * Which real mail servers the tests found: each leaves a file of its name.
 * @param {string} folder
 */
function mailServersIn(folder) {
  const [run, absent] = [true, false].map((isThere) =>
    ['Dovecot', 'Postfix'].filter((name) => existsSync(join(folder, name)) === isThere).join(', '),
  )
  if (!absent) return `run (${run})`
  return run ? `run (${run}); absent (${absent})` : 'absent'
}

/**
 * A stage that is one test itself.
 * @param {string} name
 * @param {() => Promise<Outcome>} stage
 */
async function check(name, stage) {
  const outcome = await timed(name, stage)
  if (outcome.code === 0) total.passed += 1
  else {
    total.failed += 1
    console.log(outcome.output.trimEnd())
  }
  return outcome
}

/**
 * A stage of many tests, counted from the report it writes.
 * @param {string} name
 * @param {string} report
 * @param {(report: any) => Counts} count
 * @param {() => Promise<Outcome>} stage
 */
async function tests(name, report, count, stage) {
  const { code, output } = await timed(name, stage)
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failures: [], skipped: [] }
  const failed = counts.failures.length
  // Died before or beside its tests, or ran none: that is a failure as well.
  const hasUncounted = code !== 0 && failed === 0
  const ranNothing = counts.passed + failed === 0
  console.log(`  ${counts.passed} passed, ${failed} failed in ${name}`)
  // First what failed, in short; it is lost in the thousands of lines that the whole run printed.
  for (const failure of counts.failures) console.log(`  Failed: ${failure.name}\n${failure.why}`)
  if (code !== 0) console.log(output.trimEnd())
  total.passed += counts.passed
  total.failed += failed + (hasUncounted || ranNothing ? 1 : 0)
  total.skipped.push(...counts.skipped)
}

/**
 * @param {string} name
 * @param {() => Promise<Outcome>} stage
 */
async function timed(name, stage) {
  const started = Date.now()
  const outcome = await stage()
  const verdict = outcome.code === 0 ? 'ok' : 'FAILED'
  console.log(`${verdict.padEnd(6)} ${name} (${seconds(started)})`)
  return outcome
}

/**
 * The lines of a message that say most, indented.
 * @param {string | undefined} message
 */
function inShort(message = '') {
  const lines = stripVTControlCharacters(message).split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
}

/** @returns {Promise<Outcome>} */
async function lookForBrowser() {
  const { findBrowser } = await import('./find-browser.mjs')
  try {
    // Where the configuration of the browser tests looks first.
    process.env.E2E_BROWSER = JSON.stringify(await findBrowser(console.log))
    return { code: 0, output: '' }
  } catch (error) {
    return { code: 1, output: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * @param {string} report
 * @param {string[]} args
 */
function vitest(report, ...args) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return bin('vitest/vitest.mjs', 'run', ...reporters, ...args)
}

/**
 * @param {string} path
 * @param {string[]} args
 */
function bin(path, ...args) {
  return node(join('node_modules', path), ...args)
}

/**
 * @param {string[]} args
 * @returns {Promise<Outcome>}
 */
function node(...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
      },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.once('error', (error) => resolve({ code: 1, output: String(error) }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} VitestResult
 * @param {{ testResults: { name: string, status: string, message?: string, assertionResults: VitestResult[] }[] }} report
 * @returns {Counts}
 */
function countVitest(report) {
  const results = report.testResults.flatMap((file) => file.assertionResults)
  // A file that cannot even be loaded has no tests to count.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(hasFailed),
  )
  return {
    passed: results.filter((result) => result.status === 'passed').length,
    failures: [
      ...results.filter(hasFailed).map(({ fullName, failureMessages }) => ({
        name: fullName,
        why: inShort(failureMessages?.[0]),
      })),
      ...brokenFiles.map(({ name, message }) => ({ name, why: inShort(message) })),
    ],
    skipped: results
      .filter((result) => result.status !== 'passed' && !hasFailed(result))
      .map((result) => result.fullName),
  }
}

/** @param {{ status: string }} result */
function hasFailed(result) {
  return result.status === 'failed'
}

/**
 * @typedef {{ message?: string }} PlaywrightError
 * @typedef {{ projectName: string, status: string, results: { errors: PlaywrightError[] }[] }} Run
 * @typedef {{ title: string, file: string, line: number, tests: Run[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 * @param {{ suites: Suite[], errors: PlaywrightError[] }} report
 * @returns {Counts}
 */
function countPlaywright(report) {
  const runs = report.suites.flatMap(specsOf).flatMap(({ title, file, line, tests: each }) =>
    each.map(({ projectName, status, results }) => ({
      name: `${title} (${projectName}, ${file}:${line})`,
      status,
      // A test that took too long says so first, and only then where it stood.
      why: results
        .flatMap(({ errors }) => errors)
        .map(({ message }) => inShort(message))
        .join('\n'),
    })),
  )
  return {
    passed: runs.filter(({ status }) => status === 'expected').length,
    failures: [
      ...runs.filter(({ status }) => status !== 'expected' && status !== 'skipped'),
      ...report.errors.map(({ message }) => ({ name: 'the run itself', why: inShort(message) })),
    ],
    skipped: runs.filter(({ status }) => status === 'skipped').map(({ name }) => name),
  }
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}
