// Runs one TypeScript file of the project: node scripts/run.mjs path/to/file.ts [arguments …]
import { resolve } from 'node:path'
import process from 'node:process'
import { ensureInstalled, requireNode } from './setup.mjs'

const [file, ...rest] = process.argv.slice(2)
if (!file) {
  console.error('Expected: node scripts/run.mjs path/to/file.ts [arguments …]')
  process.exit(2)
}
requireNode()
await ensureInstalled()
process.argv = [process.argv[0] ?? process.execPath, resolve(file), ...rest]
const { runnerImport } = await import('vite')
await runnerImport(resolve(file), { configFile: false, logLevel: 'warn' })
