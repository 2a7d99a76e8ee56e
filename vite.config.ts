import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { answersMark } from './scripts/answers-mark.ts'
import { formsZod } from './scripts/forms-zod.ts'
import { htmlPages } from './scripts/html-pages.ts'
import { mantineStyles } from './scripts/mantine-styles.ts'
import { findFiles } from './scripts/modules-of.ts'
import {
  loadedAfterwards,
  loadedBelow,
  loadedSoon,
  openedOften,
  screenFiles,
  screenSources,
  stylesOfScreens,
} from './scripts/screen-files.ts'

const pages = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  plugins: [react(), htmlPages(), formsZod()],
  define: { 'import.meta.env.ANSWERS_MARK': JSON.stringify(answersMark()) },
  // What reads workbooks and cards is loaded by the thread that reads files, when there is one to read.
  worker: { format: 'es' },
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
    rolldownOptions: { input: ['index.html', 'privacy.html', 'terms.html', 'app.html'] },
  },
} satisfies UserConfig

/** The browser's side: the landing page and the app, each an HTML page of its own. */
export default defineConfig(async ({ command }) => {
  if (command === 'serve') return pages
  const sources = {
    ...screenSources,
    ...loadedBelow,
    soon: loadedSoon,
    afterwards: loadedAfterwards,
  }
  const { fileOf, neededOften } = await findFiles(pages, 'src/app/main.tsx', sources, openedOften)
  return {
    ...pages,
    plugins: [...pages.plugins, stylesOfScreens(), screenFiles(), mantineStyles(neededOften)],
    build: {
      ...pages.build,
      rolldownOptions: {
        ...pages.build.rolldownOptions,
        output: {
          codeSplitting: {
            // By itself the bundler makes a file of every set of modules that the same screens share:
            // eighty for a cold screen, each with a request of its own.
            includeDependenciesRecursively: false,
            groups: [
              { name: fileOf(true), debugName: 'screens', priority: 3 },
              // What a screen alone loads is in the file of its page, unless a part of it needs it as well.
              { name: fileOf(false), debugName: 'screen', minShareCount: 2, priority: 2 },
              { name: 'shared', minShareCount: 4, priority: 1 },
            ],
          },
        },
      },
    },
  }
})
