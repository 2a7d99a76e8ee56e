import { beforeAll, describe, expect, test } from 'vitest'
import { migrationsFolder } from '#server/backend/migrations.ts'
import { definitions } from '../../scripts/schema-where.mjs'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add, type SampleTable, samples, table } from './samples.ts'

const names = Object.keys(samples) as SampleTable[]

/** One harmless change to a row of each table, as this account could make it to a row of its own. */
const edits: Record<SampleTable, (account: Account) => Promise<Record<string, unknown>>> = {
  companies: async () => ({ name: 'Changed' }),
  contacts: async () => ({ first_name: 'Changed' }),
  pipelines: async () => ({ name: 'Changed' }),
  pipeline_stages: async () => ({ name: 'Changed' }),
  deals: async () => ({ name: 'Changed' }),
  tasks: async () => ({ title: 'Changed' }),
  notes: async () => ({ body: 'Changed' }),
  collections: async () => ({ name: 'Changed' }),
  collection_members: async (account) => ({ contact_id: (await add(account, 'contacts')).id }),
  deal_contacts: async () => ({ role: 'Pays' }),
  saved_views: async () => ({ name: 'Changed' }),
  email_templates: async () => ({ name: 'Changed' }),
  not_duplicates: async (account) => {
    const { one_contact_id, other_contact_id } = await samples.not_duplicates(account)
    return { one_contact_id, other_contact_id }
  },
  fields: async () => ({ name: 'Changed' }),
  forms: async () => ({ name: 'Changed' }),
  form_submissions: async () => ({ who: 'Changed' }),
  files: async () => ({ name: 'Changed' }),
  mail_accounts: async () => ({ name: 'Changed' }),
  mails: async () => ({ subject: 'Changed' }),
  mail_exclusions: async () => ({ value: 'changed.example' }),
}

/** They answer with ids of the caller's rows. */
const finders = [
  'gone_fields_of',
  'gone_options_of',
  'hits',
  'ids_of',
  'known_records',
  'neighbours',
  'page_of_ids',
  'similar_ids',
].map((name) => `private.${name}`)
const triggersOfTables = [
  'private.log_changes',
  'private.measure_stays',
  'private.note_gone_field',
  'private.note_gone_options',
  'private.repeat_task',
  'private.take_content',
  ...['remind_of_new', 'remind_of_changed', 'drop_birthday_task', 'follow_birthday_task'].map(
    (name) => `private.${name}`,
  ),
]
const triggers = [
  ...triggersOfTables,
  'private.announce_changes',
  'private.announce_ended_sessions',
  ...[
    'announce_mail',
    'announce_rows',
    'drop_left_out',
    'find_mails_of_changed',
    'find_mails_of_new',
  ].map((name) => `private.${name}`),
  ...['follow_mail_account', 'place_mail', 'tidy_mail', 'find_mails_of_let_in', 'plan_agenda'].map(
    (name) => `private.${name}`,
  ),
  ...['drop_follow_up', 'fail_outgoing', 'send_again_soon', 'send_new'].map(
    (name) => `private.${name}`,
  ),
  'private.announce_unlogged',
  'private.note_for_webhooks',
  'private.drop_content_of_erased',
  'private.welcome_account',
]
const ofTheInside = [
  'announce',
  'begin_write',
  'drop_loose_contents',
  'erase_expired',
  'erase_expired_of',
  'has_samples',
  'name_action',
  'newest_write',
  'form_at',
  'give_webhook_secret',
  'note_write',
  ...[
    'oauth_allow',
    'oauth_client',
    'oauth_exchange',
    'oauth_refresh',
    'oauth_register',
    'oauth_revoke',
  ],
  'take_token',
  'own_batch_summary',
].map((name) => `private.${name}`)
/** Log, undo, trash, imports, backup and account: tables and stamps that nobody else may read or write. */
const called = [
  ...['history_page', 'undo_batch'],
  ...['trash_page', 'trash_count', 'restore_deleted', 'remove_for_good'],
  ...['import_state', 'start_import', 'add_import_rows', 'cancel_import', 'import_list'],
  ...['check_import', 'import_page', 'commit_import'],
  ...['backup_counts', 'backup_page', 'start_restore', 'add_restore_rows', 'finish_restore'],
  ...['load_sample_data', 'remove_sample_data', 'account_sessions', 'end_sessions'],
  'delete_account',
  ...['change_currency', 'move_birthdays'],
  ...[
    'file_space',
    'start_upload',
    'add_upload_part',
    'finish_upload',
    'file_part',
    'backup_contents',
  ],
  ...['create_calendar_feed', 'revoke_calendar_feed', 'calendar_events'],
  ...['create_card_feed', 'revoke_card_feed', 'card_page', 'shown_form'],
  ...['test_webhook', 'send_webhook_again'],
  ...['stop_mails', 'hold_mails', 'retry_mails', 'forget_mails'],
].map((name) => `public.${name}`)

// On PGlite every table is attacked by security/rights.test.ts.
onOneDatabase((database, isSmoke) => {
  let owner: Account
  let other: Account
  beforeAll(async () => {
    owner = await database().signUp()
    other = await database().signUp()
  })

  test('every table of the schema is tested here', async () => {
    const tables = await database().query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
    )
    // The feeds have files of their own.
    expect(tables.map((row) => row.name)).toEqual(
      [...names, 'calendar_feeds', 'card_feeds', 'changes', 'preferences'].sort(),
    )
  })

  test('no table lacks row-level security or a policy for what its grants allow', async () => {
    const open = await database().query(`
      select c.relname, verb from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) verb
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (has_table_privilege('authenticated', c.oid, verb)
          or verb <> 'DELETE' and has_any_column_privilege('authenticated', c.oid, verb))
        and not exists (
          select from pg_policies p
          where p.schemaname = 'public' and p.tablename = c.relname and p.cmd = verb
            and p.roles = '{authenticated}'
            and coalesce(p.qual, p.with_check) like '%user_id = %auth.uid()%'
        )
      union all
      select c.relname, 'no row-level security' from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity`)
    expect(open).toEqual([])
  })

  test('no table that users change forgets whose a row is, when it was made and when it was changed', async () => {
    const forgetful = await database().query(`
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and has_any_column_privilege('authenticated', c.oid, 'UPDATE')
        and not exists (
          select from pg_trigger t
          where t.tgrelid = c.oid and t.tgfoid = 'private.keep_identity()'::regprocedure and t.tgenabled <> 'D'
        )`)
    expect(forgetful).toEqual([])
  })

  test('nobody may do anything with any table, view or function without a session', async () => {
    const open = await database().query(`
      select c.relname::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and (has_table_privilege('anon', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
          or c.relkind <> 'S' and has_any_column_privilege('anon', c.oid, 'SELECT, INSERT, UPDATE'))
      union all
      select p.proname::text from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and has_function_privilege('anon', p.oid, 'execute')
      order by 1`)
    // A token is among its arguments; what it may do then is tested in access-tokens.test.ts.
    expect(open).toEqual([{ name: 'call_with_token' }, { name: 'take_token' }])
  })

  test('no request uses a sequence', async () => {
    const open = await database().query(`
      select c.relname, role from pg_class c, unnest(array['anon', 'authenticated']) role
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
        and has_sequence_privilege(role, c.oid, 'USAGE, SELECT, UPDATE')`)
    expect(open).toEqual([])
  })

  test('views show what their reader may see, not what their owner may', async () => {
    const loose = await database().query(`
      select relname from pg_class
      where relkind = 'v' and relnamespace in ('public'::regnamespace, 'private'::regnamespace)
        and not coalesce(reloptions @> '{security_invoker=on}', false)`)
    expect(loose).toEqual([])
  })

  test('every function has an empty search path, or is written into one that has', async () => {
    const loose = await database().query(`
      select proname from pg_proc
      where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and not coalesce(proconfig @> array['search_path=""'], false)
        and not (
          pronamespace = 'private'::regnamespace and not prosecdef and (proretset and provolatile <> 'v' or proname = 'worth')
          and prolang = (select oid from pg_language where lanname = 'sql')
        )`)
    expect(loose).toEqual([])
  })

  test('schema:where finds every function, also those that a loop makes', async () => {
    const found = await database().query<{ name: string }>(`
      select distinct pronamespace::regnamespace || '.' || proname as name from pg_proc
      where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and coalesce(obj_description(oid, 'pg_proc'), '') not like '%Written by private.%'`)
    const known = definitions(migrationsFolder)
    expect(found.length).toBeGreaterThan(500)
    expect(found.filter(({ name }) => !known.has(name))).toEqual([])
  })

  test('few functions run as their definer, and each tells why in its comment', async () => {
    const found = await database().query<{ name: string; comment: string; is_open: boolean }>(`
      select pronamespace::regnamespace || '.' || proname as name, obj_description(oid, 'pg_proc') as comment,
        has_function_privilege('authenticated', oid, 'execute') as is_open
      from pg_proc
      where prosecdef and pronamespace in ('public'::regnamespace, 'private'::regnamespace) order by 1`)
    expect(found.map(({ name }) => name)).toEqual(
      [...finders, ...ofTheInside, ...called, ...triggers].sort(),
    )
    expect(found.filter(({ comment }) => !/ A definer (because|as|for) /.test(comment))).toEqual([])
    const open = found.filter(({ is_open }) => is_open).map(({ name }) => name)
    expect(open.filter((name) => name.startsWith('private.'))).toEqual(
      [
        ...finders,
        ...['begin_write', 'give_webhook_secret', 'has_samples'].map((name) => `private.${name}`),
        ...['name_action', 'newest_write', 'note_write', 'own_batch_summary'].map(
          (name) => `private.${name}`,
        ),
        ...triggersOfTables,
      ].sort(),
    )
  })

  test('one function refuses who has no session and tells who asks', async () => {
    const saying = (words: string) =>
      database().query<{ name: string }>(
        `select pronamespace::regnamespace || '.' || proname as name from pg_proc
         where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and strpos(prosrc, '${words}') > 0
         order by 1`,
      )
    expect(await saying('Not authenticated')).toEqual([{ name: 'private.caller' }])
    // A policy asks for every row; the server writes as nobody.
    expect(await saying('auth.uid()')).toEqual([
      { name: 'private.caller' },
      { name: 'private.current_batch' },
      { name: 'private.open_to_owner' },
    ])
  })

  test('every link between rows goes to a row of the same owner', async () => {
    const loose = await database().query(`
      select conname from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace
        and confrelid <> 'auth.users'::regclass
        and not exists (
          select from unnest(conkey, confkey) as pair (child, parent)
          join pg_attribute c on c.attrelid = conrelid and c.attnum = pair.child
          join pg_attribute p on p.attrelid = confrelid and p.attnum = pair.parent
          where c.attname = 'user_id' and p.attname = 'user_id'
        )`)
    expect(loose).toEqual([])
    const unlinked = await database().query(`
      select a.attrelid::regclass::text || '.' || a.attname as name from pg_attribute a
      join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      where a.attname ~ '_id$' and a.attname not in ('user_id', 'row_id', 'message_id') and c.relname <> 'changes'
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))`)
    expect(unlinked).toEqual([])
  })

  test('every column that a policy or a link reads leads an index', async () => {
    const slow = await database().query(`
      select k.conrelid::regclass::text || '.' || k.conname as name from pg_constraint k
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace
        and not exists (
          select from pg_index i
          where i.indrelid = k.conrelid and (i.indkey::int2[])[0:1] @> k.conkey[1:1]
            and (array_length(k.conkey, 1) = 1 or i.indkey::int2[] @> k.conkey)
        )`)
    expect(slow).toEqual([])
  })

  for (const name of isSmoke ? names.slice(0, 2) : names) {
    describe(name, () => {
      test('the owner adds, sees, changes and deletes', async () => {
        const row = await add(owner, name)
        expect(row.user_id).toBe(owner.id)
        expect(await ok(table(owner, name).select().eq('id', row.id))).toHaveLength(1)
        const edit = await edits[name](owner)
        const changed = await ok(
          table(owner, name)
            .update(edit as never)
            .eq('id', row.id)
            .select(),
        )
        expect(changed).toMatchObject([{ id: row.id, ...edit }])
        expect(await ok(table(owner, name).delete().eq('id', row.id).select())).toHaveLength(1)
        expect(await ok(table(owner, name).select().eq('id', row.id))).toEqual([])
      })

      test('another user neither sees, changes nor deletes, nor adds for the owner', async () => {
        const row = await add(owner, name)
        expect(await ok(table(other, name).select())).not.toContainEqual(
          expect.objectContaining({ id: row.id }),
        )
        const edit = await edits[name](other)
        const changed = await ok(
          table(other, name)
            .update(edit as never)
            .eq('id', row.id)
            .select(),
        )
        expect(changed).toEqual([])
        expect(await ok(table(other, name).delete().eq('id', row.id).select())).toEqual([])
        const { id: _, ...copy } = row
        const forged = await table(other, name).insert({
          ...(await samples[name](other)),
          user_id: copy.user_id,
        } as never)
        expect(forged).toMatchObject({ status: 403, error: { code: '42501' } })
        const [kept] = await ok(table(owner, name).select().eq('id', row.id))
        expect(kept).toEqual(row)
      })

      test('nobody without a session does anything', async () => {
        const row = await add(owner, name)
        const nobody = { client: database().anonymous }
        const refused = { status: 401, error: { code: '42501' } }
        expect(await table(nobody, name).select()).toMatchObject(refused)
        expect(
          await table(nobody, name).insert({
            ...(await samples[name](owner)),
            user_id: owner.id,
          } as never),
        ).toMatchObject(refused)
        const edit = await edits[name](owner)
        expect(
          await table(nobody, name)
            .update(edit as never)
            .eq('id', row.id),
        ).toMatchObject(refused)
        expect(await table(nobody, name).delete().eq('id', row.id)).toMatchObject(refused)
        expect(await ok(table(owner, name).select().eq('id', row.id))).toEqual([row])
      })

      test('owner, id and stamps of a row are not the client’s to write', async () => {
        const row = await add(owner, name)
        for (const stolen of [
          { user_id: other.id },
          { id: crypto.randomUUID() },
          { created_at: '2000-01-01' },
          { updated_at: '2000-01-01' },
        ]) {
          const answer = await table(owner, name)
            .update(stolen as never)
            .eq('id', row.id)
            .select()
          expect(answer).toMatchObject({ status: 403, error: { code: '42501' } })
        }
        expect(await ok(table(owner, name).select().eq('id', row.id))).toEqual([row])
      })
    })
  }

  const links: [SampleTable, string, SampleTable][] = [
    ['contacts', 'company_id', 'companies'],
    ['pipeline_stages', 'pipeline_id', 'pipelines'],
    ['deals', 'pipeline_id', 'pipelines'],
    ['deals', 'stage_id', 'pipeline_stages'],
    ['deals', 'company_id', 'companies'],
    ['deals', 'contact_id', 'contacts'],
    ['tasks', 'deal_id', 'deals'],
    ['tasks', 'contact_id', 'contacts'],
    ['tasks', 'company_id', 'companies'],
    ['notes', 'contact_id', 'contacts'],
    ['notes', 'company_id', 'companies'],
    ['notes', 'deal_id', 'deals'],
    ['collection_members', 'collection_id', 'collections'],
    ['collection_members', 'contact_id', 'contacts'],
    ['deal_contacts', 'deal_id', 'deals'],
    ['deal_contacts', 'contact_id', 'contacts'],
    ['forms', 'collection_id', 'collections'],
    ['forms', 'pipeline_id', 'pipelines'],
    ['form_submissions', 'form_id', 'forms'],
    ['form_submissions', 'note_id', 'notes'],
    ['files', 'contact_id', 'contacts'],
    ['files', 'company_id', 'companies'],
    ['files', 'deal_id', 'deals'],
  ]
  if (isSmoke) return

  test.each(links)('%s.%s does not take another owner’s row', async (name, column, parent) => {
    const foreign = await add(other, parent)
    // A note or file is on one record only, and would be refused for that alone.
    const noOther =
      name === 'notes' || name === 'files'
        ? { contact_id: null, company_id: null, deal_id: null }
        : {}
    const link = { ...noOther, [column]: foreign.id }
    const added = await table(owner, name).insert({
      ...(await samples[name](owner)),
      ...link,
    } as never)
    expect(added).toMatchObject({ status: 409, error: { code: '23503' } })
    const own = await add(owner, name)
    const changed = await table(owner, name)
      .update(link as never)
      .eq('id', own.id)
      .select()
    expect(changed).toMatchObject({ status: 409, error: { code: '23503' } })
  })

  test('what a policy hides is read by no function and written by none', async () => {
    const me = await database().signUp()
    const { client } = me
    const company = await add(me, 'companies')
    const deal = await add(me, 'deals')
    const hidden = { first_name: 'Hidden', last_name: 'Person', company_id: company.id }
    for (const row of [hidden, { ...hidden, email: 'hidden@example.com' }]) {
      await ok(
        client
          .from('contacts')
          .insert(row as never)
          .select(),
      )
    }
    const [contact] = await ok(client.from('contacts').select('id').eq('first_name', 'Hidden'))
    const id = contact?.id ?? ''
    await ok(client.from('deals').update({ contact_id: id }).eq('id', deal.id).select())
    const seen = async () => ({
      page: await ok(client.rpc('contact_page')),
      found: await ok(client.rpc('contact_page', { filter: { search: 'hidden' } })),
      sorted: await ok(client.rpc('contact_page', { sort: 'name' })),
      count: await ok(client.rpc('contact_count')),
      record: (await client.rpc('contact_record', { id })).data,
      search: await ok(client.rpc('search_everything', { words: 'hidden' })),
      duplicates: await ok(client.rpc('duplicate_page', { kind: 'contacts' })),
      candidates: await ok(client.rpc('merge_candidates', { kind: 'contacts', ids: [id] })),
      added: await ok(
        client.rpc('quick_add_preview', {
          line: { contact: { first_name: 'Hidden', last_name: 'Person' } },
        }),
      ),
      device: await ok(client.rpc('device_contacts')),
      changed: await ok(client.rpc('device_changes', { since: { change: 0, at: 'epoch' } })),
      deals: await ok(client.rpc('deal_page')),
      dashboard: await ok(client.rpc('dashboard')),
      updated: await ok(
        client.rpc('update_contacts', { filter: {}, changes: { lead_status: 'Contacted' } }),
      ),
      mailed: await ok(client.rpc('log_emails', { filter: {}, subject: 'x' })),
    })
    expect(JSON.stringify(await seen())).toContain('Hidden')
    await database().query(`create policy "Nobody sees the hidden" on public.contacts as restrictive
      for all to authenticated using (first_name is distinct from 'Hidden')`)
    try {
      const { search, added, dashboard, ...lists } = await seen()
      const nothing = { rows: [], next: null }
      expect(lists).toMatchObject({
        page: nothing,
        found: nothing,
        sorted: nothing,
        count: 0,
        record: null,
        duplicates: nothing,
        candidates: [],
        device: nothing,
        changed: { is_whole: true, rows: [] },
        deals: { rows: [{ contact: null }] },
        updated: { count: 0 },
        mailed: { count: 0 },
      })
      expect(search).toEqual([])
      expect(added).toMatchObject({ contact: [] })
      expect(dashboard).toMatchObject({ contacts: { total: 0 } })
      expect(await ok(client.rpc('delete_contacts', { filter: {} }))).toMatchObject({ count: 0 })
    } finally {
      await database().query('drop policy "Nobody sees the hidden" on public.contacts')
    }
    expect(await ok(client.rpc('contact_count'))).toBe(2)
  })

  describe('preferences', () => {
    test('the owner sees and changes the row that came with the account', async () => {
      const changed = await ok(
        owner.client.from('preferences').update({ theme: 'dark' }).eq('user_id', owner.id).select(),
      )
      expect(changed).toMatchObject([{ user_id: owner.id, theme: 'dark' }])
    })

    test('the owner has one row, may take it away and make it anew', async () => {
      const { id, client } = await database().signUp()
      const preferences = () => client.from('preferences')
      expect(await preferences().insert({ theme: 'dark' })).toMatchObject({
        status: 409,
        error: { code: '23505' },
      })
      expect(await ok(preferences().delete().eq('user_id', id).select())).toHaveLength(1)
      expect(await ok(preferences().select())).toEqual([])
      expect(await ok(preferences().insert({ theme: 'dark' }).select())).toMatchObject([
        { user_id: id, theme: 'dark' },
      ])
    })

    test('another user and nobody see and change nothing', async () => {
      const { client } = other
      expect(
        await ok(
          client.from('preferences').update({ theme: 'dark' }).eq('user_id', owner.id).select(),
        ),
      ).toEqual([])
      expect(await ok(client.from('preferences').select().eq('user_id', owner.id))).toEqual([])
      expect(
        await ok(client.from('preferences').delete().eq('user_id', owner.id).select()),
      ).toEqual([])
      expect(await client.from('preferences').insert({ user_id: owner.id })).toMatchObject({
        status: 403,
        error: { code: '42501' },
      })
      for (const answer of [
        await database().anonymous.from('preferences').select(),
        await database().anonymous.from('preferences').insert({ user_id: owner.id }),
        await database()
          .anonymous.from('preferences')
          .update({ theme: 'dark' })
          .eq('user_id', owner.id),
        await database().anonymous.from('preferences').delete().eq('user_id', owner.id),
      ]) {
        expect(answer).toMatchObject({ status: 401, error: { code: '42501' } })
      }
    })
  })

  describe('changes', () => {
    test('the owner reads them, another user and nobody do not', async () => {
      const row = await add(owner, 'companies')
      expect(await ok(owner.client.from('changes').select().eq('row_id', row.id))).toHaveLength(1)
      expect(await ok(other.client.from('changes').select().eq('row_id', row.id))).toEqual([])
      expect(await database().anonymous.from('changes').select()).toMatchObject({ status: 401 })
    })

    test('nobody writes them, their owner included', async () => {
      const row = await add(owner, 'companies')
      const forged = {
        user_id: owner.id,
        batch: crypto.randomUUID(),
        table_name: 'companies',
        row_id: row.id,
        verb: 'delete',
      }
      const changes = owner.client.from('changes')
      expect(await changes.insert(forged as never)).toMatchObject({ status: 403 })
      expect(await changes.update({ label: 'x' } as never).eq('row_id', row.id)).toMatchObject({
        status: 403,
      })
      expect(await changes.delete().eq('row_id', row.id)).toMatchObject({ status: 403 })
    })
  })

  test('schemas other than public are out of reach', async () => {
    for (const schema of ['auth', 'private', 'extensions', 'supabase_migrations', 'solo_server']) {
      const answer = await owner.client
        .schema(schema as 'public')
        .from('users' as 'companies')
        .select()
      expect(answer).toMatchObject({ status: 406, error: { code: 'PGRST106' } })
    }
  })
})
