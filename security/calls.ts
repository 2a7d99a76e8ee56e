import { inject } from 'vitest'
import type { Routine } from '../scripts/database-types.ts'

/** The ids that one attack aims at: rows of somebody else, or of nobody. */
export type Aim = Record<
  | 'contact'
  | 'other'
  | 'company'
  | 'deal'
  | 'task'
  | 'pipeline'
  | 'stage'
  | 'collection'
  | 'batch'
  | 'restore'
  | 'import'
  | 'content'
  | 'seenAt',
  string
>

type Subject = { kind: string; record: string; id: string }

/** What a function is about, by its name; one that is about several kinds is asked about each. */
function subjectsOf({ name, args }: Routine, aim: Aim): Subject[] {
  const contact = { kind: 'contacts', record: 'contact', id: aim.contact }
  const company = { kind: 'companies', record: 'company', id: aim.company }
  const deal = { kind: 'deals', record: 'deal', id: aim.deal }
  if (args.some((each) => each.name === 'kind' || each.name === 'record')) {
    return [contact, company, deal]
  }
  if (/compan/.test(name)) return [company]
  if (/deal/.test(name)) return [deal]
  if (/task/.test(name)) return [{ kind: 'tasks', record: 'task', id: aim.task }]
  if (/pipeline/.test(name)) return [{ kind: 'pipelines', record: 'pipeline', id: aim.pipeline }]
  return [contact]
}

const changesOf: Record<string, unknown> = {
  update_contacts: { lead_status: 'Cold' },
  update_deals: { expected_close_date: '2026-11-15' },
  update_companies: { industry: 'Taken' },
  update_tasks: { completed: true },
  merge_contacts: { first_name: 'Taken' },
  merge_companies: { name: 'Taken' },
}

/**
 * Arguments that would reach the rows aimed at, by the names that our functions give them. An argument of a
 * new name is filled by its type, so that a new function is attacked without a line here.
 */
function argument(
  routine: Routine,
  name: string,
  type: string,
  subject: Subject,
  aim: Aim,
): unknown {
  const { kind, record, id } = subject
  const reported = {
    company: { name: 'Acme', id: aim.company },
    contact: { email: 'a@b', id: aim.contact },
  }
  const known: Record<string, unknown> = {
    filter: { ids: [id] },
    seen: { [id]: aim.seenAt, [aim.other]: aim.seenAt },
    changes: changesOf[routine.name],
    stages: [{ id: aim.stage, name: 'Taken', win_probability: 1 }],
    moves: { [aim.stage]: null },
    line: reported,
    rows: [{ place: 2, reported: { first_name: 'Taken' } }],
    tables: { companies: 1 },
    lines: JSON.stringify({ id: aim.company, name: 'Taken' }),
    found: ['new', 'known', 'twin', 'error'],
    ids: [id, aim.other],
    pipeline: aim.pipeline,
    stage: aim.stage,
    stage_id: aim.stage,
    collection_id: aim.collection,
    restore: aim.restore,
    batch: aim.batch,
    sha256: aim.content,
    part: 0,
    action: 'complete task',
    args: { id: aim.task, values: { completed: true } },
    outcome: 'won',
    conflicts: 'keep',
    duplicates: 'update',
    version: 1,
    total: 1,
    time_zone: 'UTC',
    at: '2026-11-15T10:00:00Z',
    kind,
    record,
  }
  if (name in known) return known[name]
  if (type === 'uuid') return id
  if (type === 'uuid[]') return [id]
  if (type.endsWith('[]')) return []
  if (type === 'jsonb') return { ids: [id], id }
  if (/int|numeric/.test(type)) return 1
  return type === 'boolean' ? true : 'x'
}

/** Without these arguments a list starts at its beginning, where it shows most. */
const leftOut = new Set(['after', 'before', 'before_key', 'loaded', 'sort', 'account', 'replacing'])

/** A call of every function that there is, at this aim. */
export function callsAt(aim: Aim): { name: string; args: Record<string, unknown> }[] {
  return inject('attacked').catalogue.functions.flatMap((routine) =>
    subjectsOf(routine, aim).map((subject) => ({
      name: routine.name,
      args: Object.fromEntries(
        routine.args
          .filter(({ name }) => !leftOut.has(name))
          .map(({ name, type }) => [name, argument(routine, name, type, subject, aim)]),
      ),
    })),
  )
}

/** The calls of `callsAt` that take an id, with the aim's id of this kind in place of every id. */
export function callsWith(aim: Aim, kind: keyof Aim): ReturnType<typeof callsAt> {
  const types = new Map(
    inject('attacked').catalogue.functions.flatMap(({ name, args }) =>
      args.map((each) => [`${name}.${each.name}`, each.type] as const),
    ),
  )
  return callsAt(aim).flatMap(({ name, args }) => {
    const filled = Object.entries(args).map(([key, value]) => {
      const type = types.get(`${name}.${key}`)
      return [key, type === 'uuid' ? aim[kind] : type === 'uuid[]' ? [aim[kind]] : value] as const
    })
    const takesId = filled.some(([key]) => types.get(`${name}.${key}`)?.startsWith('uuid'))
    return takesId ? [{ name, args: Object.fromEntries(filled) }] : []
  })
}
