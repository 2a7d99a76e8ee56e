import { readdirSync, readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files whose text has these words. A list of files was forgotten twice. */
function testsWith(words: string, ...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && readFileSync(file, 'utf8').includes(words))
}

/**
 * Tests that put modules of their own in place of ours, which the next file must not meet, nor they
 * what the file before has read.
 */
const withOwnModules = testsWith('vi.mock(', 'src')
/** Tests of the server that begin with a copy of a migrated database. */
const onCopiedDatabase = testsWith('newDataFolder(', 'server', 'scripts')

const onDatabase = 'server, on a database'

/** Begins with the files that take longest: the last of them would keep one processor waiting for the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ project }: TestSpecification) => project.name === onDatabase
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** No database of a test runs for long enough to be worth compiling a second time, for speed. */
const compiledOnce = ['--liftoff-only']

const onServer = {
  environment: 'node',
  // Some start the real server on a database of their own.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // The files of a worker share what they import, and the compiled database.
  isolate: false,
  execArgv: compiledOnce,
}

/** Attacks on a server of their own: see `security/attacked-server.ts`. */
const attacks = (mode: string, name: string) => ({
  mode,
  test: {
    name,
    include: ['security/**/*.test.ts'],
    environment: 'node' as const,
    isolate: false,
    globalSetup: [
      'supabase/tests/postgres-server.ts',
      'supabase/tests/embedded-template.ts',
      'security/attacked-server.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

const inPage = {
  environment: 'jsdom',
  // On a busy machine the largest forms take twenty seconds.
  testTimeout: 60_000,
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
        test: {
          ...inPage,
          name: 'src, each by itself',
          include: withOwnModules,
          isolate: false,
          setupFiles: ['src/app/test-own-modules.ts', ...inPage.setupFiles],
        },
      },
      {
        // A project does not take over what `--mode` says: see server/test-length.ts.
        mode,
        test: {
          ...onServer,
          name: 'server',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: onCopiedDatabase,
        },
      },
      {
        mode,
        test: {
          ...onServer,
          name: onDatabase,
          include: onCopiedDatabase,
          globalSetup: ['supabase/tests/embedded-template.ts'],
        },
      },
      {
        mode,
        test: {
          name: 'database',
          execArgv: compiledOnce,
          include: ['supabase/tests/**/*.test.ts'],
          environment: 'node',
          // The files of a worker share their databases, which are compiled, copied and opened once.
          isolate: false,
          // Nobody steals these passwords: the fewest rounds of hashing.
          env: { LITE_AUTH_BCRYPT_COST: '4' },
          globalSetup: ['supabase/tests/postgres-server.ts', 'supabase/tests/embedded-template.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      attacks(mode, 'security'),
      ...(mode === 'long' ? [attacks(mode, 'security, on PGlite')] : []),
    ],
  },
}))
