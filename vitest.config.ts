import { readdirSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files begin first, so that nothing waits for them alone in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) =>
      /(durability|random-requests)\.test\.ts$/.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/**
 * Tests that put modules of their own in place of ours, which the next file must not meet, nor they
 * what the file before has read. Found by what they call: a list was forgotten twice.
 */
const withOwnModules = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => /\.test\.tsx?$/.test(file) && readFileSync(file, 'utf8').includes('vi.mock('))

const inPage = {
  environment: 'jsdom',
  // The first render in a simulated page is slow on a busy machine.
  testTimeout: 20_000,
  setupFiles: ['src/app/test-setup.ts'],
}

export default defineConfig(({ mode }) => ({
  test: {
    // Where `isolate` is off, the files of a worker share what they import: reading React and the
    // simulated page once per file took four fifths of the time.
    // As many as the machine that the whole run must fit on has cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    exclude: [...configDefaults.exclude, 'dist/**', 'data/**', '.cache/**'],
    projects: [
      {
        test: {
          name: 'domain',
          include: ['domain/**/*.test.ts'],
          environment: 'node',
          isolate: false,
        },
      },
      {
        plugins: [react()],
        test: {
          ...inPage,
          name: 'src',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: withOwnModules,
          isolate: false,
        },
      },
      {
        plugins: [react()],
        test: { ...inPage, name: 'src, each by itself', include: withOwnModules },
      },
      {
        // A project does not take over what `--mode` says: see server/test-length.ts.
        mode,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          // Some start the real server on a database of their own.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'database',
          include: ['supabase/tests/**/*.test.ts'],
          environment: 'node',
          // The embedded database is compiled once for all files of a worker: two fifths of the work less.
          isolate: false,
          // Nobody steals these passwords: the fewest rounds of hashing.
          env: { LITE_AUTH_BCRYPT_COST: '4' },
          globalSetup: ['supabase/tests/postgres-server.ts', 'supabase/tests/embedded-template.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        mode,
        test: {
          name: 'security',
          include: ['security/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          globalSetup: ['security/attacked-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
}))
