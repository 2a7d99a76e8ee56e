// Run after every `npm install` that changes package-lock.json: node scripts/complete-lock.mjs
// A registry that lacks a package for some other system makes npm leave it out of the lock file, and
// `npm ci` then refuses the file on every system. This writes those entries from what the lock file
// already says: the version its parent asks for, and the system from its name.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const file = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const added = []
for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (lock.packages[`node_modules/${name}`]) continue
    if (lock.packages[`${parent}/node_modules/${name}`]) continue
    lock.packages[`node_modules/${name}`] = entryFor(name, version, dev)
    added.push(name)
  }
}
// npm's own order, so that its next write changes nothing else.
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en')),
)
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added.length} entries added to package-lock.json`)

/**
 * @param {string} name
 * @param {string} version
 * @param {true | undefined} dev
 */
function entryFor(name, version, dev) {
  const [, system = '', cpu = '', flavour] =
    /-(android|darwin|freebsd|linux|openharmony|win32|wasm32)-([^-]+)(?:-(.+))?$/.exec(name) ?? []
  if (!system) throw new Error(`${name} does not say for which system it is.`)
  const libc = system === 'linux' ? [flavour?.includes('musl') ? 'musl' : 'glibc'] : undefined
  const isWasm = system === 'wasm32'
  return {
    version,
    cpu: [isWasm ? 'wasm32' : cpu],
    dev,
    libc,
    optional: true,
    os: isWasm ? undefined : [system],
  }
}
