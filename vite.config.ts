import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { answersMark } from './scripts/answers-mark.ts'
import { htmlPages } from './scripts/html-pages.ts'
import { findModules } from './scripts/modules-of.ts'
import { screenFiles, sourcesOf } from './scripts/screen-files.ts'

const pages = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  plugins: [react(), htmlPages()],
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

/** What a cold /app/dashboard loads by itself; the limit of its size has a test. */
const firstLoaded = ['app.html', ...sourcesOf('dashboard'), 'src/ui/toast-host.tsx']

/** The browser's side: the landing page and the app, each an HTML page of its own. */
export default defineConfig(async ({ command }) => {
  if (command === 'serve') return pages
  const modulesOf = await findModules(pages)
  const shell = modulesOf(firstLoaded)
  const lists = modulesOf(sourcesOf('contacts', 'companies', 'deals', 'tasks'))
  const signIn = modulesOf(sourcesOf('auth'))
  const records = modulesOf(sourcesOf('contacts/:id', 'companies/:id', 'deals/:id'))
  const isOfPackage = (id: string) => id.includes('node_modules')
  const isOfShell = (id: string) => shell.has(id)
  return {
    ...pages,
    plugins: [...pages.plugins, screenFiles()],
    build: {
      ...pages.build,
      rolldownOptions: {
        ...pages.build.rolldownOptions,
        output: {
          codeSplitting: {
            // By itself the bundler makes a file of every set of modules that the same screens share:
            // eighty for a cold screen, each with a request of its own.
            // What these groups hold needs nothing outside of them and of those before.
            includeDependenciesRecursively: false,
            groups: [
              {
                name: 'packages',
                test: (id: string) => isOfShell(id) && isOfPackage(id),
                priority: 6,
              },
              { name: 'shell', test: isOfShell, priority: 5 },
              // What lists and the screen to sign in share is little, and neither needs the rest of the other.
              {
                name: 'inputs',
                test: (id: string) => lists.has(id) && signIn.has(id),
                priority: 4,
              },
              { name: 'lists', test: (id: string) => lists.has(id), minShareCount: 2, priority: 3 },
              {
                name: 'forms',
                test: (id: string) => signIn.has(id),
                minShareCount: 2,
                priority: 3,
              },
              {
                name: 'records',
                test: (id: string) => records.has(id),
                minShareCount: 2,
                priority: 2,
              },
              { name: 'shared', minShareCount: 4, priority: 1 },
            ],
          },
        },
      },
    },
  }
})
