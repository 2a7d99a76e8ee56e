import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { firstHistory } from '../backend/former-histories.ts'
import { knownVersions } from '../backend/migrations.ts'
import { withStartLock } from '../backend/start-lock.ts'
import { readSettings, type Settings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { copiesFolder, copyName } from './copies-folder.ts'
import { type Manifest, newer, older, readManifest } from './copy-file.ts'
import { backupEmbedded } from './embedded.ts'
import { backupServer, restoreServer } from './postgres.ts'
import { restoreCommand } from './restore-command.ts'
import { restoreEmbedded } from './restore-embedded.ts'

type Env = Record<string, string | undefined>

/** `npm run backup`: copies the installation that the settings name, and says where to, line by line. */
export async function backup(env: Env, args: string[], signal?: AbortSignal): Promise<string[]> {
  const settings = readSettings(env)
  const [place, ...rest] = args
  if (rest.length > 0 || place?.startsWith('-')) {
    throw new StartError('Expected: npm run backup, or npm run backup -- a-file-or-folder')
  }
  const file = await targetOf(settings.dataDir, place && seenFrom(env, place))
  await copyTo(settings, file, signal)
  const megabytes = ((await stat(file)).size / 1e6).toFixed(1)
  return [
    `Everything was copied to ${file} (${megabytes} MB).`,
    "It holds everyone's data and the keys: keep it closed to others, and on another disk.",
    `The way back: ${restoreCommand(file)}`,
  ]
}

/** `npm run restore -- file`: puts a copy in the place of the installation that the settings name. */
export async function restore(env: Env, args: string[]): Promise<string[]> {
  const settings = readSettings(env)
  const [given, ...rest] = args.filter((arg) => arg !== '--replace')
  if (!given || rest.length > 0 || given.startsWith('-')) {
    throw new StartError('Expected: npm run restore -- the-copy.tar.gz')
  }
  const file = seenFrom(env, given)
  const { kind } = settings.backend
  if (kind === 'supabase') throw onProject()
  const manifest = await readManifest(file)
  if (!(await knownVersions()).includes(manifest.lastMigration)) {
    throw firstHistory.versions.includes(manifest.lastMigration)
      ? older(file)
      : newer(file, manifest)
  }
  if (manifest.kind !== kind) throw otherKind(file, manifest)
  const made = `The copy of ${manifest.madeAt} is restored.`
  const kept =
    settings.backend.kind === 'postgres'
      ? await restoreServer({ ...settings, url: settings.backend.url }, file, {
          replace: args.includes('--replace'),
        })
      : await restoreEmbedded(settings.dataDir, file, manifest)
  if (!kept) return [made]
  return [made, `What was there before is in ${kept}: delete it when nobody needs it.`]
}

function copyTo(settings: Settings, file: string, signal?: AbortSignal): Promise<Manifest> {
  const { dataDir, backend } = settings
  if (backend.kind === 'supabase') throw onProject()
  if (backend.kind === 'embedded') return backupEmbedded(dataDir, file, signal)
  // The lock keeps other processes from changing the schema meanwhile.
  return withStartLock(backend.url, () => backupServer({ dataDir, url: backend.url }, file, signal))
}

async function targetOf(dataDir: string, place: string | undefined): Promise<string> {
  const name = copyName('solo-crm')
  if (!place) return join(copiesFolder(dataDir), name)
  const found = await stat(place).catch(() => null)
  if (found?.isDirectory()) return join(place, name)
  // Without this check, the missing folder of an unmounted disk would become a file of that name.
  if (!place.endsWith('.tar.gz')) {
    throw new StartError(
      `${place} is not a folder that exists, nor the name of a file that ends in .tar.gz. Nothing was copied.`,
    )
  }
  return place
}

/** npm runs in the project's folder, but paths are relative to where the user typed the command. */
function seenFrom({ INIT_CWD }: Env, path: string): string {
  return resolve(INIT_CWD ?? '.', path)
}

function onProject(): StartError {
  return new StartError(
    'Here the data is in a Supabase project, and the project makes its own backups: see Database, Backups in its dashboard, or "supabase db dump" of its command line.',
  )
}

function otherKind(file: string, { kind }: Manifest): StartError {
  return new StartError(
    kind === 'postgres'
      ? `${file} is the copy of a database on a PostgreSQL server: set DATABASE_URL to where it should be restored.`
      : `${file} is the copy of a data folder: restore it without DATABASE_URL.`,
  )
}
