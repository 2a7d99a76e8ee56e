// `npm run test:long`: what `npm test` leaves out, for as long as it takes.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './setup.mjs'

process.chdir(root)

/** Four processes and 200 clients: it needs the machine alone. */
const alone = 'supabase/tests/scale.test.ts'

/** The test files that do more in `--mode long`. A list of them was forgotten more than once. */
const longTests = ['domain', 'scripts', 'security', 'server', 'src', 'supabase']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  )
  .filter((file) => /\.test\.tsx?$/.test(file) && file !== alone)
  .filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    // The harness itself runs more then: see `onOneDatabase`; and the attacks have two servers.
    const isTwice = text.includes('/harness.ts') || file.startsWith('security/')
    return isTwice || text.includes('/test-length.ts')
  })
  .sort()

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'long']
const parts = [
  ['scripts/build.mjs'],
  [...vitest, ...longTests],
  [...vitest, alone],
  [
    'node_modules/@playwright/test/cli.js',
    ...['test', '-c', 'playwright.long.config.ts'],
    ...['desktop', 'phone', 'ways'].map((name) => `--project=${name}`),
  ],
]
// What fails keeps nothing else from being looked at.
const failed = parts.filter(
  (args) => spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0,
)
for (const args of failed) console.error(`Failed: node ${args.slice(0, 4).join(' ')} …`)
process.exitCode = failed.length > 0 ? 1 : 0
