// `npm run build`: the browser's pages into dist/client, the server into dist/server.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  buildStamp,
  clientFolder,
  ensureInstalled,
  requireNode,
  root,
  seconds,
  sourcesHash,
} from './setup.mjs'

requireNode()
await ensureInstalled()
console.log('Building …')
const started = Date.now()
// Taken before the build: what is edited meanwhile must lead to another one.
const hash = sourcesHash()
// Gone until the end: an interrupted build must not pass for a finished one.
rmSync(buildStamp, { force: true })

const { build } = await import('vite')
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
await build({ configFile: join(root, 'vite.worker.config.ts'), logLevel: 'warn' })
await build({ configFile: join(root, 'vite.server.config.ts'), logLevel: 'warn' })
await compressAll()
writeFileSync(buildStamp, hash)
console.log(`Built in ${seconds(started)}.`)

/** Writes x.br and x.gz beside every text file, so that the server never compresses while it serves. */
async function compressAll() {
  const files = readdirSync(clientFolder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(html|m?js|css|svg|json|txt|webmanifest)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    // The server fills its settings into this one.
    .filter((file) => file !== join(clientFolder, 'app.html'))
  await Promise.all(files.map(compress))
}

/** @param {string} file */
async function compress(file) {
  const content = readFileSync(file)
  if (content.length === 0) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  }
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ])
  writeFileSync(`${file}.br`, brotli)
  writeFileSync(`${file}.gz`, gzipped)
}
