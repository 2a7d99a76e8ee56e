import type { AnyDatabase } from '../backend/request-context.ts'
import { StartError } from '../start-error.ts'
import { type Numbers, notesOf } from './notes.ts'
import {
  keepMailKey,
  lookAtTarget,
  mailKeyIn,
  nameOf,
  type OpenPlace,
  type Place,
  withSource,
  withTarget,
} from './places.ts'
import {
  checkAdministrator,
  createUsers,
  deleteUsers,
  differingUsers,
  usersIn,
} from './project-users.ts'
import {
  countersOf,
  emptyWaitingRoom,
  forgetRows,
  isEqual,
  makeWaitingRoom,
  marksOf,
  putInPlace,
  sendRows,
  speakAlike,
  waitingSchema,
} from './rows.ts'
import { type AuthPart, type MovedTable, rowsOf, tablesToMove } from './tables.ts'

type Way = { source: Place; target: Place; mailKey: string | null }
type Moving = Way & { isAgain: boolean; say: (line: string) => void }

/** How often what has changed meanwhile is copied again; only a hosted project can change. */
const rounds = 3

/**
 * Copies an installation. The rows are sent in parts, and wait at the target where nobody sees them: after an
 * interruption the same command goes on. Then one transaction puts all of them in place, compares every row with the
 * source, and is taken back unless all are equal.
 */
export async function moveData(way: Moving): Promise<string[]> {
  return withSource(way.source, (source) =>
    withTarget(way.target, async (target) => {
      const { place } = target
      if (place.kind === 'supabase') await checkAdministrator(place)
      const tables = await tablesToMove(source.db, target.db, authPartOf(way))
      const { isWritten } = await begin(source, target, tables, way)
      const numbers = await numbersIn(source.db)
      if (!isWritten) await copyAll(source, target, tables, way.say)
      await finish(source, target, way)
      const rows = await countRows(source.db, tables)
      const users = place.kind === 'supabase' ? numbers.accounts : 0
      return [
        `Everything was moved from ${nameOf(way.source)} to ${nameOf(place)}: accounts: ${numbers.accounts}, rows: ${sum(rows) + users}, files: ${numbers.files}. Every row was compared with its original.`,
        ...notesOf(way, numbers),
      ]
    }),
  )
}

/** The checks of a move, and what it would copy; nothing is changed. */
export async function wouldMove(way: Way): Promise<string[]> {
  return withSource(way.source, async (source) => {
    if (way.target.kind === 'supabase') await checkAdministrator(way.target)
    const numbers = await numbersIn(source.db)
    const tables = await lookAtTarget(way.target, async (target) => {
      await refuseUsed(target, null, [])
      return tablesToMove(source.db, target.db, authPartOf(way))
    })
    const moved = tables ?? (await tablesToMove(source.db, source.db, authPartOf(way)))
    const rows = await countRows(source.db, moved)
    const largest = [...rows].sort(([, a], [, b]) => b - a).slice(0, 8)
    return [
      `Would move from ${nameOf(way.source)} to ${nameOf(way.target)}: accounts: ${numbers.accounts}, rows: ${sum(rows)} in ${moved.length} tables, files: ${numbers.files}.`,
      `The most rows: ${largest.map(([name, count]) => `${name} ${count}`).join(', ')}.`,
      ...notesOf(way, numbers),
      'Nothing was changed: this was a dry run.',
    ]
  })
}

type State = { source: string; is_written: boolean }

async function begin(
  source: OpenPlace,
  target: OpenPlace,
  tables: MovedTable[],
  { isAgain, say }: Moving,
): Promise<{ isWritten: boolean }> {
  const name = source.keys?.publishableKey ?? nameOf(source.place)
  const ids = (await usersIn(source.db)).map(({ id }) => id)
  let state = await stateOf(target.db)
  if (state && isAgain && !state.is_written) {
    if (target.place.kind === 'supabase') {
      const there = await idsIn(target.db)
      await deleteUsers(
        target.place,
        there.filter((id) => ids.includes(id)),
      )
    }
    await emptyWaitingRoom(target.db)
    state = null
  }
  if (state && state.source !== name) {
    throw new StartError(
      `${nameOf(target.place)} has the beginning of another move. Finish that one with its own command, or give it up: add --again. Nothing was moved.`,
    )
  }
  if (state?.is_written) return { isWritten: true }
  // An earlier run may have been cut off after it dropped its state: then all rows are in place already.
  if (!state && ids.length > 0 && (await isMoved(source, target, tables, ids))) {
    return { isWritten: true }
  }
  await refuseUsed(target, state, ids)
  if (state) say('An earlier move was cut off: what has arrived is not sent again.')
  await makeWaitingRoom(target.db)
  await rowsOf(
    target.db,
    `insert into ${waitingSchema}.move (source) values ($1) on conflict do nothing`,
    [name],
  )
  return { isWritten: false }
}

/** Refuses a target that has accounts already, other than those that this move has created in a project. */
async function refuseUsed(
  { db, place }: OpenPlace,
  state: State | null,
  own: string[],
): Promise<void> {
  const mayBeThere = place.kind === 'supabase' && state ? new Set(own) : new Set<string>()
  const others = (await idsIn(db)).filter((id) => !mayBeThere.has(id))
  if (others.length === 0) return
  throw new StartError(
    `${nameOf(place)} is not empty: it has accounts (${others.length}). Move to one that nobody has used yet. Nothing was moved.`,
  )
}

/** Whether every row of the source is at the target already, and no other. */
async function isMoved(
  source: OpenPlace,
  target: OpenPlace,
  tables: MovedTable[],
  ids: string[],
): Promise<boolean> {
  const there = new Set(await idsIn(target.db))
  if (there.size !== ids.length || !ids.every((id) => there.has(id))) return false
  return target.db.transaction().execute(async (db) => {
    await speakAlike(db)
    return source.db.transaction().execute(async (here) => {
      await speakAlike(here)
      if ((await differingTables(here, db, tables)).length > 0) return false
      if (target.place.kind !== 'supabase') return true
      return (await differingUsers(here, db, await usersIn(here))).length === 0
    })
  })
}

async function differingTables(
  here: AnyDatabase,
  there: AnyDatabase,
  tables: MovedTable[],
): Promise<MovedTable[]> {
  const differing: MovedTable[] = []
  for (const table of tables) {
    const [one, other] = [await marksOf(here, table), await marksOf(there, table)]
    if (!isEqual(one, other)) differing.push(table)
  }
  return differing
}

async function copyAll(
  source: OpenPlace,
  target: OpenPlace,
  tables: MovedTable[],
  say: Moving['say'],
): Promise<void> {
  const rows = await countRows(source.db, tables)
  let wrong: MovedTable[] = tables
  for (let round = 1; round <= rounds; round += 1) {
    for (const [place, table] of wrong.entries()) {
      const count = rows.get(table.name) ?? 0
      const tell = seldom(say)
      await sendRows(source.db, target.db, table, (arrived) =>
        tell(`Table ${place + 1} of ${wrong.length}, ${table.name}: ${arrived} of ${count} rows`),
      )
    }
    if (target.place.kind === 'supabase') {
      const users = await usersIn(source.db)
      const tell = seldom(say)
      await createUsers(target.place, target.db, users, (count) =>
        tell(`Accounts: ${count} of ${users.length}`),
      )
    }
    say('All rows have arrived. They are put in place and compared.')
    wrong = await putAndCompare(source, target, tables)
    if (wrong.length === 0) return
    say(`Changed meanwhile, and copied again: ${wrong.map(({ name }) => name).join(', ')}`)
    for (const table of wrong) await forgetRows(target.db, table)
  }
  throw new StartError(
    `These tables are not the same at the target as in ${nameOf(source.place)}: ${wrong.map(({ name }) => name).join(', ')}. Nothing was moved. If somebody works in it meanwhile, let them stop, and repeat the command.`,
  )
}

/** Thrown to take the transaction back. */
class NotEqual extends Error {
  readonly tables: MovedTable[]
  constructor(tables: MovedTable[]) {
    super('not equal')
    this.tables = tables
  }
}

/** The tables that differ. If there is one, nothing of the move is in place. */
async function putAndCompare(
  source: OpenPlace,
  target: OpenPlace,
  tables: MovedTable[],
): Promise<MovedTable[]> {
  try {
    await target.db.transaction().execute(async (db) => {
      await speakAlike(db)
      await rowsOf(db, "select set_config('lock_timeout', '0', true)")
      await putInPlace(db, tables, await countersOf(source.db))
      const wrong = await source.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (here) => {
          await speakAlike(here)
          const differing = await differingTables(here, db, tables)
          if (target.place.kind === 'supabase') {
            const users = await differingUsers(here, db, await usersIn(here))
            if (users.length > 0) {
              throw new StartError(
                `Accounts of ${nameOf(target.place)} are not as they should be (${users.slice(0, 3).join(', ')}). Nothing was moved. Give up what was copied, and begin again: add --again.`,
              )
            }
          }
          return differing
        })
      if (wrong.length > 0) throw new NotEqual(wrong)
      await rowsOf(db, `update ${waitingSchema}.move set is_written = true`)
    })
    return []
  } catch (error) {
    if (error instanceof NotEqual) return error.tables
    throw error
  }
}

/** The keys come last: until the waiting room is gone, the same command repeats this. */
async function finish(source: OpenPlace, target: OpenPlace, { mailKey }: Moving): Promise<void> {
  if (source.keys && target.place.kind !== 'supabase') await target.takeKeys(source.keys)
  const key = await mailKeyIn(source.place, mailKey)
  if (target.place.kind === 'folder' && key) await keepMailKey(target.place.dataDir, key)
  await emptyWaitingRoom(target.db)
  // Statistics do not move; without them the first lists would be slow.
  await rowsOf(target.db, 'analyze')
}

function authPartOf({ source, target }: Way): AuthPart {
  if (target.kind === 'supabase') return 'none'
  return source.kind === 'supabase' ? 'accounts' : 'all'
}

async function stateOf(db: AnyDatabase): Promise<State | null> {
  const [there] = await rowsOf<{ is: boolean }>(
    db,
    `select to_regclass('${waitingSchema}.move') is not null as is`,
  )
  if (!there?.is) return null
  const [state] = await rowsOf<State>(db, `select source, is_written from ${waitingSchema}.move`)
  return state ?? null
}

async function idsIn(db: AnyDatabase): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(db, 'select id::text as id from auth.users')
  return rows.map(({ id }) => id)
}

async function countRows(db: AnyDatabase, tables: MovedTable[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name, place } of tables) {
    const [row] = await rowsOf<{ n: number }>(db, `select count(*)::int as n from ${place}`)
    counts.set(name, row?.n ?? 0)
  }
  return counts
}

async function numbersIn(db: AnyDatabase): Promise<Numbers> {
  const count = (table: string, name: string) => `(select count(*)::int from ${table}) as ${name}`
  const [numbers] = await rowsOf<Numbers>(
    db,
    `select ${[
      count('auth.users', 'accounts'),
      count('private.file_contents', 'files'),
      count('private.mail_secrets', 'mailboxes'),
      count('private.webhooks', 'webhooks'),
      count('public.forms', 'forms'),
      count('private.access_tokens', 'tokens'),
      `((select count(*) from public.calendar_feeds) + (select count(*) from public.card_feeds))::int as feeds`,
    ].join(', ')}`,
  )
  if (!numbers) throw new Error('The numbers of the installation could not be read.')
  return numbers
}

function sum(counts: Map<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0)
}

/** Passes on at most one line a second. */
function seldom(say: (line: string) => void): (line: string) => void {
  let last = Date.now()
  return (line) => {
    if (Date.now() - last < 1000) return
    last = Date.now()
    say(line)
  }
}
