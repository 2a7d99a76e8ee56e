import type { TestDatabase } from './harness.ts'

/** Numbers that look random and are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type SoldDeal = {
  id: string
  name: string
  value: number
  expected_close_date: string | null
  pipeline_id: string | null
  stage_id: string | null
  company_id: string | null
  contact_id: string | null
  closed_at: string | null
  lost_reason: string | null
  created_at: string
  updated_at: string
}
type SoldTask = {
  id: string
  title: string
  due_date: string | null
  completed: boolean
  completed_at: string | null
  deal_id: string | null
  created_at: string
  updated_at: string
}
type SoldNote = {
  kind: string
  body: string
  happened_at: string
  deal_id: string | null
  contact_id: string | null
  created_at: string
  updated_at: string
}
export type Stage = {
  id: string
  name: string
  pipeline_id: string
  win_probability: number
  order: number
}

const day = 86_400_000

/** Half a year of selling around a moment, made up from a seed. */
export function randomSales(random: () => number, at: number, stages: Stage[]) {
  const id = () =>
    'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () =>
      Math.floor(random() * 16).toString(16),
    )
  const pick = <Item>(items: readonly Item[]): Item => {
    const found = items[Math.floor(random() * items.length)]
    if (found === undefined) throw new Error('There is nothing to pick from.')
    return found
  }
  const chance = (share: number) => random() < share
  const moment = (back: number, ahead = 0) =>
    new Date(at - random() * back * day + random() * ahead * day).toISOString()
  const records = (count: number) =>
    Array.from({ length: count }, () => ({ id: id(), created_at: moment(100) }))

  const companies = records(25).map((row, n) => ({ ...row, name: `Company ${n}` }))
  const contacts = records(60).map((row, n) => ({ ...row, first_name: `Person ${n}` }))
  const deals: SoldDeal[] = Array.from({ length: 120 }, (_, n) => {
    const stage = chance(0.1) ? null : pick(stages)
    const created = moment(220)
    const isClosed = stage?.name === 'Closed Won' || stage?.name === 'Closed Lost'
    const closed = new Date(Date.parse(created) + random() * (at - Date.parse(created)))
    return {
      id: id(),
      name: `Deal ${n}`,
      value: Math.floor(random() * 10_000_000) / 100,
      expected_close_date: chance(0.2) ? null : moment(60, 300).slice(0, 10),
      pipeline_id: stage?.pipeline_id ?? pick(stages).pipeline_id,
      stage_id: stage?.id ?? null,
      company_id: chance(0.5) ? pick(companies).id : null,
      contact_id: chance(0.5) ? pick(contacts).id : null,
      closed_at: isClosed ? closed.toISOString() : null,
      lost_reason:
        stage?.name === 'Closed Lost' && chance(0.7)
          ? pick(['Too expensive', 'too expensive', 'No budget', 'Competitor'])
          : null,
      created_at: created,
      updated_at: chance(0.5) ? moment(12) : created,
    }
  })
  const tasks: SoldTask[] = Array.from({ length: 150 }, (_, n) => {
    const completed = chance(0.4)
    const created = moment(40)
    return {
      id: id(),
      title: `Task ${n}`,
      due_date: chance(0.15) ? null : moment(chance(0.5) ? 1 : 20, chance(0.5) ? 1 : 20),
      completed,
      completed_at: completed ? moment(100) : null,
      deal_id: chance(0.5) ? pick(deals).id : null,
      created_at: created,
      updated_at: created,
    }
  })
  const notes: SoldNote[] = Array.from({ length: 150 }, (_, n) => {
    const happened = moment(120)
    const isOnDeal = chance(0.5)
    return {
      kind: pick(['note', 'call', 'meeting', 'email']),
      body: `Note ${n}`,
      happened_at: happened,
      deal_id: isOnDeal ? pick(deals).id : null,
      contact_id: isOnDeal ? null : pick(contacts).id,
      created_at: happened,
      updated_at: happened,
    }
  })
  return { companies, contacts, deals, tasks, notes }
}

export type Sales = ReturnType<typeof randomSales>

/** Writes rows with stamps of their own, past the triggers that would set them. */
export async function writeRows(
  { query }: TestDatabase,
  owner: { id: string },
  table: string,
  rows: object[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map((name) => `"${name}"`)
    .join(', ')
  await query(
    `insert into public.${table} (user_id, ${columns})
     select ?::uuid, ${columns}
     from (select set_config('solo.restoring', 'on', true) offset 0) c
     cross join jsonb_populate_recordset(null::public.${table}, ?::jsonb)`,
    owner.id,
    JSON.stringify(rows),
  )
}
