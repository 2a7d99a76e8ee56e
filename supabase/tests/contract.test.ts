import { beforeAll, expect, test } from 'vitest'
import { type Account, onEachDatabase } from './harness.ts'

const dealId = '7d0c1e4e-5f4b-4d5e-9a53-0f5f5a6f1a01'
const stamps = {
  created_at: '2026-11-15T00:18:26.2+00:00',
  updated_at: '2026-03-29T01:00:00+00:00',
}

/** A deal as hosted Supabase sends it: numbers as numbers, times in ISO 8601 with offset. */
const deal = {
  id: dealId,
  name: 'Renewal',
  value: 12.5,
  expected_close_date: '2026-12-31',
  company_id: null,
  contact_id: null,
  order: 0.25,
  closed_at: null,
  lost_reason: null,
  search_text: 'renewal',
  ...stamps,
}

/**
 * What the browser gets must be the same whichever way the product runs, so this test names the
 * literal JSON for every kind of column. A new kind fails it until it is named here too.
 */
onEachDatabase((database) => {
  let owner: Account
  let stage: { id: string; pipeline_id: string }
  beforeAll(async () => {
    owner = await database().signUp()
    const [lead] = await database().query<{ id: string; pipeline_id: string }>(
      "select id, pipeline_id from public.pipeline_stages where user_id = ? and name = 'Lead'",
      owner.id,
    )
    stage = lead ?? { id: '', pipeline_id: '' }
    await database().query(
      `insert into public.deals (id, user_id, name, value, expected_close_date, stage_id, "order", created_at, updated_at)
       values (?, ?, 'Renewal', 12.50, '2026-12-31', ?, 0.25, ?, ?)`,
      dealId,
      owner.id,
      stage.id,
      stamps.created_at,
      stamps.updated_at,
    )
  })

  async function get(path: string, init: RequestInit = {}): Promise<unknown> {
    const { backend } = database()
    const request = new Request(`http://127.0.0.1:3000/rest/v1/${path}`, {
      ...init,
      headers: {
        apikey: backend.publicKey,
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        ...init.headers,
      },
    })
    const response = await backend.fetch(request, null)
    return response.json()
  }

  const whole = () => ({
    ...deal,
    user_id: owner.id,
    stage_id: stage.id,
    pipeline_id: stage.pipeline_id,
  })

  test('every type of column is named here', async () => {
    const types = await database().query<{ type: string }>(`
      select distinct format_type(a.atttypid, null) as type from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped
      order by 1`)
    expect(types.map((row) => row.type)).toEqual([
      'bigint',
      'boolean',
      'date',
      'double precision',
      'integer',
      'jsonb',
      'numeric',
      'smallint',
      'smallint[]',
      'text',
      'timestamp with time zone',
      'uuid',
    ])
  })

  test('uuid, text, numeric, date, double precision, timestamps and null in a list', async () => {
    expect(await get(`deals?id=eq.${dealId}`)).toEqual([whole()])
  })

  test('an array of numbers, in a list and back from a write', async () => {
    const written = {
      title: 'Report',
      due_date: stamps.created_at,
      repeat: 'weekly',
      repeat_days: [1, 5],
    }
    const made = await get('tasks?select=id,repeat_days', {
      method: 'POST',
      body: JSON.stringify(written),
      headers: { prefer: 'return=representation' },
    })
    expect(made).toEqual([{ id: expect.any(String), repeat_days: [1, 5] }])
    expect(await get('tasks?select=repeat_days,repeat_every')).toEqual([
      { repeat_days: [1, 5], repeat_every: null },
    ])
  })

  test('the same as one object', async () => {
    const accept = { headers: { accept: 'application/vnd.pgrst.object+json' } }
    expect(await get(`deals?id=eq.${dealId}`, accept)).toEqual(whole())
  })

  test('the same inside an embedded row', async () => {
    const hint = 'deals!deals_stage_id_fkey(value,order,created_at)'
    expect(
      await get(`pipeline_stages?id=eq.${stage.id}&select=name,order,win_probability,${hint}`),
    ).toEqual([
      {
        name: 'Lead',
        order: 1,
        win_probability: 10,
        deals: [{ value: 12.5, order: 0.25, created_at: stamps.created_at }],
      },
    ])
  })

  test('the same from a function and from a write', async () => {
    const moved = await get('rpc/move_deal', {
      method: 'POST',
      body: JSON.stringify({ id: dealId, stage_id: stage.id }),
    })
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/)
    expect(moved).toEqual({ ...whole(), order: 0, updated_at: iso })
    const patched = await get(`deals?id=eq.${dealId}&select=value,updated_at`, {
      method: 'PATCH',
      body: JSON.stringify({ value: 1000000 }),
      headers: { prefer: 'return=representation' },
    })
    expect(patched).toEqual([{ value: 1_000_000, updated_at: iso }])
  })

  test('bigint, jsonb and boolean', async () => {
    const task = { id: crypto.randomUUID(), title: 'T', completed: true }
    await get('tasks', {
      method: 'POST',
      body: JSON.stringify(task),
      headers: { prefer: 'return=representation' },
    })
    await get(`tasks?id=eq.${task.id}`, {
      method: 'PATCH',
      body: JSON.stringify({ completed: false }),
      headers: { prefer: 'return=representation' },
    })
    const changes = await get(`changes?row_id=eq.${task.id}&verb=eq.update&select=id,before,after`)
    expect(changes).toEqual([
      {
        id: expect.any(Number),
        before: { completed: true, completed_at: expect.stringMatching(/T.*\+00:00$/) },
        after: { completed: false, completed_at: null },
      },
    ])
  })

  test('a count comes with the range that it belongs to', async () => {
    const { backend } = database()
    const response = await backend.fetch(
      new Request('http://127.0.0.1:3000/rest/v1/deals?select=id&limit=1', {
        headers: {
          apikey: backend.publicKey,
          authorization: `Bearer ${owner.token}`,
          prefer: 'count=exact',
        },
      }),
      null,
    )
    expect(response.headers.get('content-range')).toBe('0-0/1')
  })
})
