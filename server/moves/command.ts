import { resolve } from 'node:path'
import { isUnreachable } from '../backend/public-error.ts'
import { withShare } from '../backend/request-share.ts'
import { log } from '../log.ts'
import { readSettings, SettingsError } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { moveData, wouldMove } from './move.ts'
import { nameOf, type Place } from './places.ts'

/** One statement writes a whole table: of a large installation that takes its time. */
const patient = { who: 'the server', limit: 86_400_000, isOwn: true }

type Env = Record<string, string | undefined>

const usage =
  'Expected: npm run move -- --to postgres, --to supabase or --to folder the-folder; also --dry-run, and --again to give up what an earlier, unfinished move has copied.'

/**
 * `npm run move`: copies the installation that the settings name to another place, with everything in it.
 *
 * @returns what to tell at the end, line by line
 */
export async function move(
  env: Env,
  args: string[],
  say: (line: string) => void = log,
): Promise<string[]> {
  const { to, folder, isDryRun, isAgain } = readArguments(args)
  const source = sourceIn(env)
  const target = targetIn(env, to, folder)
  if (isSame(source, target)) {
    throw new StartError(`${nameOf(source)} cannot be moved onto itself.`)
  }
  const mailKey = readSettings(env).mailKey
  try {
    if (isDryRun) return await wouldMove({ source, target, mailKey })
    return await withShare(patient, () => moveData({ source, target, mailKey, isAgain, say }))
  } catch (error) {
    if (error instanceof StartError || !isUnreachable(error)) throw error
    throw new StartError(
      'The connection to a database was lost. Nothing shows at the target yet; the same command goes on where it was.',
    )
  }
}

function readArguments(args: string[]) {
  const flags = ['--dry-run', '--again']
  const rest = args.filter((arg) => !flags.includes(arg))
  const [first, to, folder, ...further] = rest
  const isKnown = to === 'postgres' || to === 'supabase' || to === 'folder'
  if (
    first !== '--to' ||
    !isKnown ||
    further.length > 0 ||
    (to === 'folder') !== (folder !== undefined)
  ) {
    throw new StartError(usage)
  }
  return {
    to,
    folder,
    isDryRun: args.includes('--dry-run'),
    isAgain: args.includes('--again'),
  } as const
}

function sourceIn(env: Env): Place {
  const { backend, dataDir } = readSettings(env)
  if (backend.kind === 'embedded') return { kind: 'folder', dataDir }
  if (backend.kind === 'postgres') return { kind: 'postgres', url: backend.url }
  const url = databaseAddress(env, 'SUPABASE_DATABASE_URL', "the address of the project's database")
  return { kind: 'supabase', address: backend.url, url, serviceKey: null }
}

function targetIn(env: Env, to: Place['kind'], folder: string | undefined): Place {
  if (to === 'folder') {
    return { kind: 'folder', dataDir: resolve(env.INIT_CWD ?? '.', folder ?? '') }
  }
  const url = databaseAddress(env, 'TO_DATABASE_URL', 'the address of the database to move to')
  if (to === 'postgres') return { kind: 'postgres', url }
  const address = env.TO_SUPABASE_URL?.trim() ?? ''
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new SettingsError(
      'TO_SUPABASE_URL: expected the address of the project, such as https://abc.supabase.co',
    )
  }
  const serviceKey = env.TO_SUPABASE_SERVICE_KEY?.trim()
  if (!serviceKey) {
    throw new SettingsError(
      "TO_SUPABASE_SERVICE_KEY: expected the project's secret (service_role) key, which makes the accounts",
    )
  }
  return { kind: 'supabase', address: new URL(address).origin, url, serviceKey }
}

/** Addresses with passwords come by the environment: every user of the machine can read arguments. */
function databaseAddress(env: Env, name: string, what: string): string {
  const value = env[name]?.trim() ?? ''
  const isFine = URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)
  if (isFine) return value
  throw new SettingsError(`${name}: expected ${what}, postgres://user:password@host:5432/database`)
}

function isSame(one: Place, other: Place): boolean {
  if (one.kind === 'folder') return other.kind === 'folder' && one.dataDir === other.dataDir
  if (other.kind === 'folder') return false
  const [here, there] = [new URL(one.url), new URL(other.url)]
  return here.host === there.host && here.pathname === there.pathname
}
