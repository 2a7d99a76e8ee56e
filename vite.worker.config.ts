import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const client = fileURLToPath(new URL('dist/client', import.meta.url))

/** Files of the app whose names do not change with their content. */
const named = ['color-scheme.js', 'first-data.js']

/** What the app needs to start without a network: code, styles, icons and the font of Latin letters; no pictures of the public pages. */
function builtFiles() {
  const hashed = readdirSync(join(client, 'assets')).filter(
    (name) =>
      // What draws PDF files is large, and files need a network anyway.
      (/\.(js|css|svg)$/.test(name) && !/^pdf/.test(name)) || /^inter-latin-.*\.woff2$/.test(name),
  )
  return [
    ...hashed.map((name) => ({ url: `/assets/${name}`, revision: null })),
    ...named.map((name) => ({
      url: `/${name}`,
      revision: createHash('sha256')
        .update(readFileSync(join(client, name)))
        .digest('base64url')
        .slice(0, 22),
    })),
  ]
}

/** The worker that starts the app without a network. Built after the pages, whose files it names. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  define: { builtFiles: JSON.stringify(builtFiles()) },
  build: {
    outDir: 'dist/client',
    emptyOutDir: false,
    target: 'es2023',
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/worker/worker.ts',
      output: { format: 'iife', entryFileNames: 'worker.js' },
    },
  },
})
