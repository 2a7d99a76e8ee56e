import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { describe, expect, inject, test } from 'vitest'

const folder = join(import.meta.dirname, '../migrations')
const adminUrl = inject('postgresUrl')

/** What a hosted project has before our migrations, as far as they touch it. */
const hostedProject = (owner: string) => `
  create schema extensions authorization ${owner};
  create schema auth;
  create table auth.users (id uuid primary key, email text, created_at timestamptz default now());
  create function auth.uid() returns uuid language sql stable
    as $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
  grant usage on schema auth to ${owner}, anon, authenticated, service_role;
  grant all on auth.users to ${owner};
  alter default privileges for role ${owner} in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role ${owner} in schema public grant all on functions to anon, authenticated, service_role;
  alter default privileges for role ${owner} in schema public grant all on sequences to anon, authenticated, service_role;
  insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'early@example.com');`

// Without a server there is nothing to prove this on; the run's closing lines say so.
describe.runIf(adminUrl)('a hosted Supabase project', () => {
  test('takes the migrations as an ordinary owner, with its roles and schemas as given', async () => {
    const name = `hosted_${randomUUID().replaceAll('-', '')}`
    const admin = postgres(adminUrl ?? '', { max: 1, onnotice: () => {} })
    await admin`select pg_advisory_lock(1)`
    for (const role of ['anon', 'authenticated', 'service_role']) {
      const [known] = await admin`select from pg_roles where rolname = ${role}`
      if (!known) await admin.unsafe(`create role ${role} nologin`)
    }
    await admin.unsafe(`create role ${name} login nosuperuser nocreaterole nobypassrls`)
    await admin.unsafe(`create database ${name} owner ${name}`)
    await admin.end()

    const url = new URL(adminUrl ?? '')
    url.pathname = `/${name}`
    const platform = postgres(url.href, { max: 1, onnotice: () => {} })
    await platform.unsafe(hostedProject(name))

    url.username = name
    const owner = postgres(url.href, { max: 1, onnotice: () => {} })
    const files = (await readdir(folder)).sort()
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) {
      await owner.begin(async (transaction) => {
        await transaction.unsafe(await readFile(join(folder, file), 'utf8'))
      })
    }

    // An account from before the migrations has what a new one gets.
    const early = await owner`
      select s.name from public.pipeline_stages s join public.pipelines p on p.id = s.pipeline_id
      where p.user_id = '00000000-0000-4000-8000-000000000001' order by s."order"`
    expect(early.map((row) => row.name)).toEqual([
      'Lead',
      'Qualified',
      'Proposal',
      'Negotiation',
      'Closed Won',
    ])
    await platform`insert into auth.users (id) values ('00000000-0000-4000-8000-000000000002')`
    const fresh = await owner`
      select count(*)::int from public.pipeline_stages where user_id = '00000000-0000-4000-8000-000000000002'`
    expect(fresh).toMatchObject([{ count: 5 }])

    // The platform's generous defaults are taken back.
    const open = await owner`
      select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
        and has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate')
      union all
      select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_table_privilege('authenticated', c.oid, 'truncate, references, trigger')
      union all
      select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace
        and has_function_privilege('anon', p.oid, 'execute')`
    expect(open).toEqual([])
    await owner.end()
    await platform.end()
  })
})
