import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { StartError } from '../start-error.ts'

/**
 * Creates what hosted Supabase has and our migrations expect: the three roles of a request and their access to
 * schema `auth`.
 */
export async function ensureRoles(connection: Connection): Promise<void> {
  await makeRoles(connection)
  await sql`grant usage on schema public, auth to anon, authenticated, service_role`.execute(
    connection.kysely,
  )
}

/**
 * The three roles alone: a database needs them before a copy is restored into it. service_role bypasses row-level
 * security, except where the database user may not grant that; the product works without it.
 */
export async function makeRoles(connection: Connection): Promise<void> {
  try {
    await sql`
      do $$
      begin
        if not exists (select from pg_roles where rolname = 'anon') then
          create role anon nologin noinherit;
        end if;
        if not exists (select from pg_roles where rolname = 'authenticated') then
          create role authenticated nologin noinherit;
        end if;
        if not exists (select from pg_roles where rolname = 'service_role') then
          begin
            create role service_role nologin noinherit bypassrls;
          exception when insufficient_privilege then
            create role service_role nologin noinherit;
          end;
        end if;
        if not (select rolsuper from pg_roles where rolname = current_user) then
          begin
            execute format('grant anon, authenticated, service_role to %I', current_user);
          exception when insufficient_privilege then
            -- From PostgreSQL 16 on, a role is given away only by who made it: an administrator may have done it.
            if not (select bool_and(pg_has_role(r, 'member')) from unnest('{anon,authenticated,service_role}'::name[]) r) then
              raise;
            end if;
          end;
        end if;
      end
      $$`.execute(connection.kysely)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42501') {
      throw new StartError(
        'The user of DATABASE_URL may not create roles. Let an administrator run: create role anon nologin; create role authenticated nologin; create role service_role nologin bypassrls; grant anon, authenticated, service_role to that user.',
      )
    }
    throw error
  }
}
