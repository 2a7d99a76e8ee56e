import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { htmlPages } from './scripts/html-pages.ts'

/** The browser's side: the landing page and the app, each an HTML page of its own. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  plugins: [react(), htmlPages()],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Files, not data: addresses, so that the Content-Security-Policy can stay narrow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: ['index.html', 'app.html'] },
  },
})
