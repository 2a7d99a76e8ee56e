// @ts-check
// The thread of the embedded database. It runs messages of PostgreSQL's protocol and returns the answers
// unchanged; everything else is done by the thread that opened it. Plain JavaScript, because Node starts a
// thread from a file as it is.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'

/** @typedef {import('./thread.ts').ThreadOptions} ThreadOptions */
/** @typedef {import('./thread.ts').Order} Order */
/** @typedef {import('./thread.ts').Report} Report */

/** @type {ThreadOptions} */
const { folder, channels, mostBytes, postgresModule, initdbModule } = workerData

/** @param {Report} report @param {ArrayBuffer[]} [moved] */
function tell(report, moved) {
  parentPort?.postMessage(report, moved)
}

/**
 * PGlite 0.4.5 leaks 1.2 kB of its stack with every statement that fails; after some 12,000 of them the stack is
 * full, and the database never answers again. Between two calls the stack is empty, so the pointer can be reset
 * to its value after the start.
 * @param {PGlite} database
 */
function stackOf(database) {
  /** @type {{ mod?: { ___stack_pointer?: WebAssembly.Global } }} */
  const { mod } = /** @type {any} */ (database)
  const pointer = mod?.___stack_pointer
  if (!pointer) throw new Error('The stack pointer of this version of PGlite is not known.')
  return pointer
}

const database = new PGlite({
  ...(folder === null ? {} : { dataDir: folder }),
  pgliteWasmModule: postgresModule,
  initdbWasmModule: initdbModule,
  startParams: [...PGlite.defaultStartParams, '-c', 'random_page_cost=1.1'],
  extensions: { btree_gin, pg_trgm, unaccent },
})
try {
  await database.waitReady
  for (const channel of channels) {
    await database.listen(channel, (payload) =>
      tell({ kind: 'notice', notice: { channel, payload } }),
    )
  }
} catch (error) {
  tell({ kind: 'failed', message: String(error) })
  throw error
}
const stack = stackOf(database)
const stackBase = stack.value

/** @param {Uint8Array} bytes */
async function run(bytes) {
  // This call also parses the answer; PGlite's call without parsing would keep every message in memory.
  const { data } = await database.execProtocol(bytes, { syncToFs: false, throwOnError: false })
  const leakedBytes = stackBase - stack.value
  stack.value = stackBase
  if (data.byteLength > mostBytes) return tell({ kind: 'too much', bytes: data.byteLength })
  tell({ kind: 'answer', bytes: data, leakedBytes }, [/** @type {ArrayBuffer} */ (data.buffer)])
}

async function close() {
  await database.close()
  tell({ kind: 'closed' })
}

/** Settles when the order before is done. */
let last = Promise.resolve()
parentPort?.on('message', (/** @type {Order} */ order) => {
  last = last.then(() => (order.kind === 'run' ? run(order.bytes) : close()))
})
tell({ kind: 'ready' })
