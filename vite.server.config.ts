import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The server as plain JavaScript: its own code in one file, its packages left in node_modules. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    // A stack in the log should name our own lines.
    sourcemap: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // The thread of the embedded database is started from a file of its own, which lies beside, and so are the tools
      // for an assistant.
      input: {
        main: 'server/main.ts',
        worker: 'server/backend/embedded/worker.mjs',
        mcp: 'server/interface/stdio.ts',
      },
      output: { entryFileNames: ({ name }) => (name === 'worker' ? 'worker.mjs' : '[name].js') },
    },
  },
})
