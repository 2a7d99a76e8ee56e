import { z } from 'zod'
import type { AnyDatabase } from '../backend/request-context.ts'
import { StartError } from '../start-error.ts'
import { nameOf, type Place } from './places.ts'
import { rowsOf } from './tables.ts'

type Project = Extract<Place, { kind: 'supabase' }>

type User = {
  id: string
  email: string | null
  password_hash: string | null
  is_confirmed: boolean
  /** Null, or how many hours more the account is closed. */
  closed_hours: number | null
  user_metadata: string
  app_metadata: string
}

const tries = 5
const atOnce = 4

/** Refuses an address or a key that does not lead to the accounts of the project. */
export async function checkAdministrator(project: Project): Promise<void> {
  const answer = await ask(project, 'GET', '/admin/users?page=1&per_page=1')
  if (!answer.ok) throw await refusalOf(project, answer)
}

/** The accounts of the source, as a project takes them. */
export async function usersIn(source: AnyDatabase): Promise<User[]> {
  return rowsOf(
    source,
    `select id::text as id, email, nullif(encrypted_password, '') as password_hash,
      email_confirmed_at is not null as is_confirmed,
      case when banned_until > now() then ceil(extract(epoch from banned_until - now()) / 3600)::int end as closed_hours,
      coalesce(raw_user_meta_data, '{}')::text as user_metadata,
      coalesce(raw_app_meta_data, '{}')::text as app_metadata
    from auth.users order by id`,
  )
}

/**
 * Creates the accounts that the project lacks, with their ids and the hashes of their passwords. Each that is there
 * stays, so this can be repeated after it was cut off.
 */
export async function createUsers(
  project: Project,
  target: AnyDatabase,
  users: User[],
  onCreated: (count: number) => void,
): Promise<void> {
  const there = new Set((await rowsOf<{ id: string }>(target, idsThere)).map(({ id }) => id))
  const missing = users.filter(({ id }) => !there.has(id))
  let created = users.length - missing.length
  const [first] = missing
  if (first) {
    await createUser(project, target, first)
    const [seen] = await rowsOf(target, `${idsThere} where id = $1::text::uuid`, [first.id])
    if (!seen) {
      await deleteUsers(project, [first.id])
      throw new StartError(
        `TO_DATABASE_URL is not the database of ${nameOf(project)}: an account that was made there does not show in it. It was taken back, and nothing was moved.`,
      )
    }
    created += 1
    onCreated(created)
  }
  const waiting = missing.slice(1)
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await createUser(project, target, next)
        created += 1
        onCreated(created)
      }
    }),
  )
}

const idsThere = 'select id::text as id from auth.users'

async function createUser(project: Project, target: AnyDatabase, user: User): Promise<void> {
  const answer = await ask(project, 'POST', '/admin/users', {
    id: user.id,
    email: user.email,
    email_confirm: user.is_confirmed,
    user_metadata: JSON.parse(user.user_metadata),
    app_metadata: JSON.parse(user.app_metadata),
    ...(user.password_hash ? { password_hash: user.password_hash } : {}),
    ...(user.closed_hours ? { ban_duration: `${user.closed_hours}h` } : {}),
  })
  if (answer.ok) return
  // It may have been made by a request whose answer was lost.
  const [there] = await rowsOf(target, `${idsThere} where id = $1::text::uuid`, [user.id])
  if (!there) throw await refusalOf(project, answer)
}

/** Takes accounts back that a move has created; those that are gone already are passed over. */
export async function deleteUsers(project: Project, ids: string[]): Promise<void> {
  for (const id of ids) {
    const answer = await ask(project, 'DELETE', `/admin/users/${id}`)
    if (!answer.ok && answer.status !== 404) throw await refusalOf(project, answer)
  }
}

/** The ids of the accounts that are not in the project as they are in the source. */
export async function differingUsers(
  source: AnyDatabase,
  target: AnyDatabase,
  users: User[],
): Promise<string[]> {
  // Projects add to what they know of a user, and may keep hashes encrypted: these do not begin with "$".
  const picture = `select id::text as id, lower(email) as email, email_confirmed_at is not null as is_confirmed,
    encrypted_password as hash, coalesce(raw_user_meta_data, '{}')::text as meta
    from auth.users`
  type Seen = { id: string; email: string; is_confirmed: boolean; hash: string; meta: string }
  const [here, there] = await Promise.all([
    rowsOf<Seen>(source, picture),
    rowsOf<Seen>(target, picture),
  ])
  const found = new Map(there.map((user) => [user.id, user]))
  const wanted = new Set(users.map(({ id }) => id))
  const wrong = here.filter((user) => {
    const twin = found.get(user.id)
    if (!twin || twin.email !== user.email || twin.is_confirmed !== user.is_confirmed) return true
    if (user.hash && twin.hash?.startsWith('$') && twin.hash !== user.hash) return true
    const [meta, other] = [JSON.parse(user.meta), JSON.parse(twin.meta)]
    return Object.keys(meta).some(
      (name) => JSON.stringify(meta[name]) !== JSON.stringify(other[name]),
    )
  })
  const strangers = there.filter(({ id }) => !wanted.has(id))
  return [...wrong, ...strangers].map(({ id }) => id)
}

async function ask(
  project: Project,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const key = project.serviceKey ?? ''
  for (let round = 1; ; round += 1) {
    const answer = await fetch(`${project.address}/auth/v1${path}`, {
      method,
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => null)
    const isBusy = !answer || answer.status === 429 || answer.status >= 500
    if (answer && (!isBusy || round === tries)) return answer
    if (round === tries) {
      throw new StartError(
        `${nameOf(project)} does not answer. Check TO_SUPABASE_URL and the network; the same command goes on where it was.`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** round))
  }
}

const answerSchema = z.object({
  msg: z.string().optional(),
  message: z.string().optional(),
  error_code: z.string().optional(),
})

async function refusalOf(project: Project, answer: Response): Promise<StartError> {
  if (answer.status === 401 || answer.status === 403) {
    return new StartError(
      `${nameOf(project)} refuses TO_SUPABASE_SERVICE_KEY. It must be the project's secret (service_role) key, not the public one. Nothing was moved.`,
    )
  }
  const read = answerSchema.safeParse(await answer.json().catch(() => null))
  const words = read.data?.msg ?? read.data?.message ?? `status ${answer.status}`
  return new StartError(
    `${nameOf(project)} refuses an account (${words}). The data is not there yet; the same command goes on where it was.`,
  )
}
