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
      input: { main: 'server/main.ts' },
      output: { entryFileNames: '[name].js' },
    },
  },
})
