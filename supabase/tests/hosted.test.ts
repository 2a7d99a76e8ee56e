import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const folder = join(import.meta.dirname, '../migrations')
const adminUrl = inject('postgresUrl')

/** What a hosted project has before our migrations, as far as they touch it. */
const hostedProject = (owner: string) => `
  create schema extensions authorization ${owner};
  create schema auth;
  create table auth.users (id uuid primary key, email text, created_at timestamptz default now());
  create function auth.uid() returns uuid language sql stable
    as $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
  create schema realtime;
  create table realtime.messages (topic text, extension text, payload jsonb, event text, private boolean);
  alter table realtime.messages enable row level security;
  alter table realtime.messages owner to ${owner};
  grant select on realtime.messages to authenticated;
  create function realtime.topic() returns text language sql stable
    as $$ select nullif(current_setting('realtime.topic', true), '') $$;
  create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
    language sql as $$ insert into realtime.messages values (topic, 'broadcast', payload, event, private) $$;
  grant usage on schema realtime to ${owner}, authenticated;
  grant usage on schema auth to ${owner}, anon, authenticated, service_role;
  grant all on auth.users to ${owner};
  alter default privileges for role ${owner} in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role ${owner} in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges for role ${owner} in schema public grant all on sequences to anon, authenticated, service_role;
  insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'early@example.com');`

const early = '00000000-0000-4000-8000-000000000001'
const fresh = '00000000-0000-4000-8000-000000000002'

// Without a server there is nothing to prove this on; the run's closing lines say so.
describe.runIf(adminUrl)('a hosted Supabase project', () => {
  let platform: postgres.Sql
  let owner: postgres.Sql
  beforeAll(async () => {
    const name = `hosted_${randomUUID().replaceAll('-', '')}`
    const url = new URL(adminUrl ?? '')
    await makeDatabase(name)
    url.pathname = `/${name}`
    platform = postgres(url.href, { max: 1, onnotice: () => {} })
    await platform.unsafe(hostedProject(name))
    url.username = name
    owner = postgres(url.href, { max: 1, onnotice: () => {} })
  })
  afterAll(() => Promise.all([owner.end(), platform.end()]))

  /** The user of the gateway, which takes on the role of each request. */
  async function asAuthenticator(): Promise<postgres.Sql> {
    const name = `gateway_${randomUUID().replaceAll('-', '')}`
    await platform.unsafe(`create role ${name} login noinherit nosuperuser`)
    await platform.unsafe(`grant anon, authenticated, service_role to ${name}`)
    const [{ database } = { database: '' }] =
      await platform`select current_database()::text as database`
    const url = new URL(adminUrl ?? '')
    url.username = name
    url.pathname = `/${database}`
    return postgres(url.href, { max: 1, onnotice: () => {} })
  }

  /** What a request does there: the platform takes on its role and tells who asks. */
  function request<T>(
    role: string,
    id: string,
    work: (sql: postgres.TransactionSql) => Promise<T>,
  ) {
    return platform.begin(async (sql) => {
      await sql`select set_config('request.jwt.claim.sub', ${id}, true)`
      await sql.unsafe(`set local role ${role}`)
      return work(sql)
    })
  }

  test('takes the migrations as an ordinary owner, with its roles and schemas as given', async () => {
    const files = (await readdir(folder)).sort()
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) {
      await owner.begin(async (transaction) => {
        await transaction.unsafe(await readFile(join(folder, file), 'utf8'))
      })
    }
  })

  test('gives an account from before the migrations what a new one gets', async () => {
    const stages = await owner`
      select s.name from public.pipeline_stages s join public.pipelines p on p.id = s.pipeline_id
      where p.user_id = ${early} order by s."order"`
    expect(stages.map((row) => row.name)).toEqual([
      'Lead',
      'Qualified',
      'Proposal',
      'Negotiation',
      'Closed Won',
    ])
    await platform`insert into auth.users (id) values (${fresh})`
    const made = await owner`
      select count(*)::int from public.pipeline_stages where user_id = ${fresh}`
    expect(made).toMatchObject([{ count: 5 }])
  })

  test('has the generous defaults of the platform taken back', async () => {
    const open = await owner`
      select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
        and has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate')
      union all
      select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_table_privilege('authenticated', c.oid, 'truncate, references, trigger')
      union all
      select c.relname from pg_class c, unnest(array['anon', 'authenticated']) role
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
        and has_sequence_privilege(role, c.oid, 'usage, select, update')
      union all
      select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace
        and has_function_privilege('anon', p.oid, 'execute')`
    expect(open).toEqual([{ relname: 'call_with_token' }])
    // What a later migration makes is closed as well, until it opens it.
    const later = await owner.begin(async (sql) => {
      await sql`create table public.later (id bigint generated always as identity)`
      await sql`create sequence public.later_numbers`
      const rights = await sql`
        select has_table_privilege(role, 'public.later', 'select, insert, update, delete') as on_table,
          has_sequence_privilege(role, 'public.later_numbers', 'usage, select, update') as on_numbers,
          has_sequence_privilege(role, 'public.later_id_seq', 'usage, select, update') as on_ids
        from unnest(array['anon', 'authenticated']) role`
      await sql`drop table public.later`
      await sql`drop sequence public.later_numbers`
      return rights
    })
    const closed = { on_table: false, on_numbers: false, on_ids: false }
    expect(later).toEqual([closed, closed])
  })

  test('lets a signed-in user write and read his own rows, and nobody else’s', async () => {
    const [added] = await request(
      'authenticated',
      early,
      (sql) => sql`insert into public.companies (name) values ('Acme') returning id, user_id`,
    )
    expect(added).toMatchObject({ user_id: early })
    const own = await request('authenticated', early, (sql) => sql`select id from public.companies`)
    expect(own).toEqual([{ id: added?.id }])
    await request('authenticated', fresh, async (sql) => {
      expect(await sql`select id from public.companies`).toEqual([])
      expect(await sql`update public.companies set name = 'x' returning id`).toEqual([])
      expect(await sql`delete from public.companies returning id`).toEqual([])
    })
    await expect(
      request(
        'authenticated',
        fresh,
        (sql) => sql`insert into public.companies (name, user_id) values ('x', ${early})`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(
      request('authenticated', early, (sql) => sql`select nextval('public.changes_id_seq')`),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test.each([
    "insert into public.companies (name) values ('x')",
    'select id from public.companies',
    "update public.companies set name = 'x'",
    'delete from public.companies',
    "select nextval('public.changes_id_seq')",
    'select public.undo_batch(gen_random_uuid())',
  ])('refuses without a session: %s', async (statement) => {
    await expect(request('anon', '', (sql) => sql.unsafe(statement))).rejects.toMatchObject({
      code: '42501',
    })
  })

  test('sends what changed to the private channel of the account, which nobody else may join', async () => {
    await request('authenticated', early, async (sql) => {
      // As its gateway tells it, for every request.
      const headers = JSON.stringify({ 'x-solo-window': 'window-0123456789' })
      await sql`select set_config('request.headers', ${headers}, true)`
      await sql`insert into public.companies (name) select 'Company ' || n from generate_series(1, 1000) n`
    })
    const topic = `account:${early}`
    const sent = await platform`
      select topic, event, private, payload ->> 'window' as by, payload -> 'tables' as tables
      from realtime.messages where payload ->> 'window' is not null`
    expect(sent).toEqual([
      { topic, event: 'changes', private: true, by: 'window-0123456789', tables: ['companies'] },
    ])
    /** What the channel asks the policies before it lets somebody in. */
    const mayJoin = (user: string) =>
      request('authenticated', user, async (sql) => {
        await sql`select set_config('realtime.topic', ${topic}, true)`
        return (await sql`select from realtime.messages limit 1`).length > 0
      })
    expect(await mayJoin(early)).toBe(true)
    expect(await mayJoin(fresh)).toBe(false)
    await expect(
      request(
        'authenticated',
        fresh,
        (sql) => sql`insert into realtime.messages (topic) values (${topic})`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('runs a call with a token as its owner, from a session that is nobody’s', async () => {
    const [made] = await request(
      'authenticated',
      early,
      (sql) => sql`select public.create_access_token('Claude', 'write') as answer`,
    )
    const { token } = made?.answer ?? {}
    const gateway = await asAuthenticator()
    /** As its gateway asks: a user that may become each role and has no rights of its own. */
    const call = (given: string, name: string, args: object) =>
      gateway.begin(async (sql) => {
        await sql`set local role anon`
        const headers = JSON.stringify({
          'cf-connecting-ip': '203.0.113.9',
          'x-forwarded-for': '9.9.9.9',
        })
        await sql`select set_config('request.headers', ${headers}, true)`
        const [row] = await sql`
          select public.call_with_token(${given}, ${name}, ${sql.json(args as never)}) as answer,
            current_setting('response.status', true) as status`
        return row
      })
    const fields = { kind: 'companies', changes: { name: 'By token' } }
    expect(await call(token, 'save_record', fields)).toMatchObject({
      answer: { record: { name: 'By token' } },
    })
    expect(await owner`select user_id from public.companies where name = 'By token'`).toEqual([
      { user_id: early },
    ])
    const [listed] = await owner`select last_address from private.access_tokens`
    expect(listed).toEqual({ last_address: '203.0.113.9' })

    // The other two scopes: what is proposed is written once its owner approves, and reading writes nothing.
    const tokenFor = async (scope: string): Promise<string> => {
      const [row] = await request(
        'authenticated',
        early,
        (sql) => sql`select public.create_access_token(${scope}, ${scope}) as answer`,
      )
      return row?.answer.token
    }
    const [reader, careful] = [await tokenFor('read'), await tokenFor('propose')]
    await expect(call(reader, 'save_record', fields)).rejects.toMatchObject({ code: 'PT403' })
    expect(await call(reader, 'about', {})).toMatchObject({ answer: { token: { scope: 'read' } } })
    for (const name of ['Approved', 'Declined']) {
      const proposed = await call(careful, 'save_record', { kind: 'companies', changes: { name } })
      expect(proposed).toMatchObject({ status: '202', answer: { proposal: expect.any(String) } })
    }
    const decide = (user: string, ids: string[], approve: boolean) =>
      request(
        'authenticated',
        user,
        (sql) => sql`select public.decide_proposals(${ids}::uuid[], ${approve}) as answer`,
      )
    const waiting = await owner<{ id: string }[]>`
      select id from private.proposals order by changes #>> '{0,after,name}'`
    const [approved = '', declined = ''] = waiting.map(({ id }) => id)
    const names = () =>
      owner`select name from public.companies where name in ('Approved', 'Declined')`
    expect(await names()).toEqual([])
    expect(await decide(fresh, [approved, declined], true)).toEqual([{ answer: [] }])
    expect(await decide(early, [approved], true)).toMatchObject([
      { answer: [{ status: 'approved' }] },
    ])
    expect(await decide(early, [declined], false)).toMatchObject([
      { answer: [{ status: 'declined' }] },
    ])
    expect(await names()).toEqual([{ name: 'Approved' }])
    const [by] = await owner`select token_name from private.token_batches order by created_at desc`
    expect(by).toEqual({ token_name: 'propose' })
    await request('authenticated', early, (sql) => sql`select public.revoke_access_tokens()`)
    expect(await call(token, 'about', {})).toMatchObject({
      status: '401',
      answer: { code: 'revoked_token' },
    })
    expect(await call('x', 'about', {})).toMatchObject({ answer: { code: 'unknown_token' } })
    await gateway.end()
  })

  test('takes a batch back, by its owner only', async () => {
    const [added] = await request(
      'authenticated',
      early,
      (sql) => sql`insert into public.contacts (first_name) values ('Ada') returning id`,
    )
    const id = added?.id
    const [change] = await request(
      'authenticated',
      early,
      (sql) => sql`select batch from public.changes where row_id = ${id}`,
    )
    const undo = (user: string) =>
      request(
        'authenticated',
        user,
        (sql) => sql`select public.undo_batch(${change?.batch}::uuid) as answer`,
      )
    await expect(undo(fresh)).rejects.toMatchObject({ code: 'PT404' })
    expect(await owner`select id from public.contacts where id = ${id}`).toHaveLength(1)
    await undo(early)
    expect(await owner`select id from public.contacts where id = ${id}`).toEqual([])
  })
})

/** A database of its own, and an ordinary user who owns it. */
async function makeDatabase(name: string): Promise<void> {
  const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
  // Roles belong to the whole server, so test files make theirs one after the other.
  await admin`select pg_advisory_lock(1)`
  for (const role of ['anon', 'authenticated', 'service_role']) {
    const [known] = await admin`select from pg_roles where rolname = ${role}`
    if (!known) await admin.unsafe(`create role ${role} nologin`)
  }
  await admin.unsafe(`create role ${name} login nosuperuser nocreaterole nobypassrls`)
  await admin.unsafe(`create database ${name} owner ${name}`)
  await admin.end()
}
