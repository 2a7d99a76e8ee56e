import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
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
  stage_since: stamps.created_at,
  lost_reason: null,
  currency: null,
  rate: null,
  search_text: 'renewal vip uni',
  custom: {},
  tags: ['VIP', 'Ünï'],
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
      `insert into public.deals (id, user_id, name, value, expected_close_date, stage_id, "order", created_at, updated_at, stage_since, tags)
       values (?, ?, 'Renewal', 12.50, '2026-12-31', ?, 0.25, ?, ?, ?, '{VIP,Ünï}')`,
      dealId,
      owner.id,
      stage.id,
      stamps.created_at,
      stamps.updated_at,
      stamps.created_at,
    )
  })

  function ask(path: string, init: RequestInit = {}, { token } = owner): Promise<Response> {
    const { backend } = database()
    const request = new Request(`http://127.0.0.1:3000/rest/v1/${path}`, {
      ...init,
      headers: {
        apikey: backend.publicKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...init.headers,
      },
    })
    return backend.fetch(request, null)
  }

  async function get(path: string, init: RequestInit = {}): Promise<unknown> {
    return (await ask(path, init)).json()
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
      'text[]',
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

  test('what cannot be read is told in the words it was asked in, and too many arguments as such', async () => {
    for (const select of [
      'created_at::text;--,...pipeline_stages(pipeline_id,order),name',
      'name,pipeline_stages!x(name),pipeline_stages!x!y(pipelines(name))',
      'name,a!b:pipeline_stages(name)',
    ]) {
      const wrong = await ask(`pipelines?select=${select}`)
      const text = await wrong.text()
      expect([wrong.status, text]).toEqual([400, expect.stringMatching(/PGRST/)])
      expect(text).not.toContain('_fkey')
    }

    const body = JSON.stringify(Array.from({ length: 101 }, () => 1))
    const many = await ask('rpc/deal_page', { method: 'POST', body })
    expect([many.status, await many.json()]).toMatchObject([400, { code: '54023' }])
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
    const headers = { prefer: 'count=exact' }
    const response = await ask('deals?select=id&limit=1', { headers })
    expect(response.headers.get('content-range')).toBe('0-0/1')
  })

  test('a planned or estimated count is the exact one, of the asker’s own rows', async () => {
    // Statistics are made of the rows of all accounts.
    const other = await database().signUp()
    const rows = Array.from({ length: 100 }, () => ({ first_name: 'Person' }))
    expect((await other.client.from('contacts').insert(rows)).error).toBeNull()
    await database().query('analyze public.contacts')
    for (const prefer of ['count=planned', 'count=estimated', 'x=y ,\tcount = planned ']) {
      for (const filter of ['', '&first_name=like.Person*', '&order=id&offset=0']) {
        for (const method of ['GET', 'HEAD']) {
          const init = { method, headers: { prefer } }
          const response = await ask(`contacts?limit=0${filter}`, init)
          expect(response.headers.get('content-range'), prefer + filter).toBe('*/0')
          expect(response.headers.get('preference-applied')).toBe('count=exact')
        }
      }
    }
  })

  describe('the joins of the specification, each by the name of the table alone', () => {
    const company = { id: randomUUID(), name: 'Acme' }
    const contact = { id: randomUUID(), first_name: 'Ada', last_name: 'L', email: 'ada@acme.com' }
    const links = { company_id: company.id, contact_id: contact.id }
    const task = { title: 'Call', deal_id: randomUUID(), ...links }
    const { id, ...person } = contact
    let seller: Account
    let lead = ''
    beforeAll(async () => {
      seller = await database().signUp()
      const { client } = seller
      const { data } = await client.from('pipeline_stages').select('id').eq('name', 'Closed Won')
      lead = data?.[0]?.id ?? ''
      const joined = { id: task.deal_id, name: 'Renewal', stage_id: lead, ...links }
      for (const { error } of [
        await client.from('companies').insert([company, { id: randomUUID(), name: 'Other' }]),
        await client.from('contacts').insert({ ...contact, company_id: company.id }),
        await client.from('deals').insert(joined),
        await client.from('tasks').insert(task),
      ]) {
        expect(error).toBeNull()
      }
    })

    const won = { name: 'Closed Won' }
    const acme = { name: 'Acme' }
    test.each([
      ['contacts?select=first_name,companies(name)', { first_name: 'Ada', companies: acme }],
      [
        'contacts?select=first_name,companies!contacts_company_id_fkey(name)',
        { first_name: 'Ada', companies: acme },
      ],
      ['contacts?select=first_name,company_id(name)', { first_name: 'Ada', company_id: acme }],
      ['contacts?select=company:companies(name),first_name', { first_name: 'Ada', company: acme }],
      [
        'contacts?select=first_name,companies!inner(name)&companies.name=eq.Acme',
        { first_name: 'Ada', companies: acme },
      ],
      [
        'contacts?select=first_name,...companies(company:name)',
        { first_name: 'Ada', company: 'Acme' },
      ],
      [
        'contacts?select=first_name,companies(name)&order=companies(name)',
        { first_name: 'Ada', companies: acme },
      ],
      [
        'deals?select=name,pipeline_stages!deals_stage_id_fkey(name)',
        { name: 'Renewal', pipeline_stages: won },
      ],
      ['deals?select=name,pipeline_stages(name)', { name: 'Renewal', pipeline_stages: won }],
      [
        'deals?select=name,pipeline_stages(name),companies(name),contacts(first_name,last_name,email)&order=created_at.desc',
        { name: 'Renewal', pipeline_stages: won, companies: acme, contacts: person },
      ],
      [
        'deals?select=name,value,pipeline_stages!inner(name)&pipeline_stages.name=eq.Closed Won',
        { name: 'Renewal', value: 0, pipeline_stages: won },
      ],
      [
        'tasks?select=title,deals(name),contacts(first_name,last_name),companies(name)',
        {
          title: 'Call',
          deals: { name: 'Renewal' },
          contacts: { first_name: 'Ada', last_name: 'L' },
          companies: acme,
        },
      ],
      [
        'tasks?select=title,deals(contacts(companies(name)),pipeline_stages(name))',
        {
          title: 'Call',
          deals: { contacts: { companies: acme }, pipeline_stages: won },
        },
      ],
      [
        'companies?name=eq.Acme&select=name,contacts(first_name),deals(name)',
        { name: 'Acme', contacts: [{ first_name: 'Ada' }], deals: [{ name: 'Renewal' }] },
      ],
      [
        'pipelines?select=name,pipeline_stages(name)&pipeline_stages.order=order',
        {
          name: 'Sales Pipeline',
          pipeline_stages: ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won'].map(
            (name) => ({ name }),
          ),
        },
      ],
    ])('%s', async (path, expected) => {
      const response = await ask(path, {}, seller)
      expect([response.status, await response.json()]).toEqual([200, [expected]])
      const [, select] = /select=([^&]+)/.exec(path) ?? []
      const told = new URLSearchParams(response.headers.get('content-location')?.split('?')[1])
      expect(told.get('select'), 'the address is repeated as it was asked').toBe(select)
    })

    test.each([
      ['POST', 'contacts', { first_name: 'Bob', company_id: company.id }],
      ['PATCH', `contacts?id=eq.${id}`, { notes: 'Likes tea' }],
    ])('%s %s gives the row with its joined name', async (method, path, body) => {
      const search = `${path}${path.includes('?') ? '&' : '?'}select=notes,companies(name)`
      const init = { method, body: JSON.stringify(body) }
      const expected = { notes: null, ...('notes' in body ? body : {}), companies: acme }
      const prefer = 'return=representation'
      const listed = await ask(search, { ...init, headers: { prefer } }, seller)
      expect([listed.ok, await listed.json()]).toEqual([true, [expected]])
      const accept = 'application/vnd.pgrst.object+json'
      const single = await ask(search, { ...init, headers: { prefer, accept } }, seller)
      expect([single.ok, await single.json()]).toEqual([true, expected])
    })

    test.each(['return=representation', 'return=representation,resolution=merge-duplicates'])(
      'an insert that asks for an ambiguous join, %s: 300, and nothing is saved',
      async (prefer) => {
        const body = JSON.stringify({ first_name: 'Nobody' })
        const init = { method: 'POST', body, headers: { prefer } }
        const answer = await ask('contacts?select=*,not_duplicates(*)', init, seller)
        expect([answer.status, await answer.json()]).toMatchObject([300, { code: 'PGRST201' }])
        const { data } = await seller.client.from('contacts').select().eq('first_name', 'Nobody')
        expect(data).toEqual([])
      },
    )

    test('hosted, no join is ambiguous either: no primary key holds two links', async () => {
      // PostgREST takes a table for a way between two others when its primary key holds both links.
      const ways = await database().query(`
        select one.conrelid::regclass, one.conname, other.conname
        from pg_constraint one
        join pg_constraint other on other.conrelid = one.conrelid and other.oid > one.oid
        join pg_constraint p on p.conrelid = one.conrelid and p.contype = 'p'
        where one.contype = 'f' and other.contype = 'f'
          and one.connamespace = 'public'::regnamespace and one.conkey || other.conkey <@ p.conkey`)
      expect(ways).toEqual([])
    })
  })
})
