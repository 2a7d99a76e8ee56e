import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { backUp } from './backup-calls.ts'
import { type Account, linkIn, ok, onOneDatabase, type TestDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add, type SampleTable, samples } from './samples.ts'

const password = 'secret-1'

type Session = { id: string; user_agent: string | null; is_current: boolean; last_used_at: string }

onOneDatabase((database, isSmoke) => {
  async function signInAs(email: string, userAgent: string): Promise<Account['client']> {
    const { backend } = database()
    const client = database().connect()
    const response = await backend.fetch(
      new Request('http://127.0.0.1:3000/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: {
          apikey: backend.publicKey,
          'content-type': 'application/json',
          'user-agent': userAgent,
        },
        body: JSON.stringify({ email, password }),
      }),
      null,
    )
    await client.auth.setSession(await response.json())
    return client
  }

  const sessionsOf = async (client: Account['client']) =>
    (await ok(client.rpc('account_sessions'))) as Session[]

  describe('where an account is signed in', () => {
    test('each session with the browser that began it, this one first', async () => {
      const owner = await database().signUp()
      const phone = await signInAs(owner.email, 'Phone/1.0')
      const desk = await signInAs(owner.email, 'Desk/2.0')
      const seen = await sessionsOf(phone)
      expect(seen.map(({ user_agent, is_current }) => [user_agent, is_current])).toEqual([
        ['Phone/1.0', true],
        ['Desk/2.0', false],
        [null, false],
      ])
      expect(Date.now() - Date.parse(seen[0]?.last_used_at ?? '')).toBeLessThan(60_000)
      expect((await sessionsOf(desk))[0]).toMatchObject({ user_agent: 'Desk/2.0' })
    })

    test('a session that was left without a network is ended by its id, and nobody else’s', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      const left = await signInAs(owner.email, 'Phone/1.0')
      const { data } = await left.auth.getSession()
      const [session] = await sessionsOf(left)
      const ids = [session?.id ?? '']
      expect(await ok(other.client.rpc('end_sessions', { ids }))).toBe(0)
      expect((await left.from('contacts').select('id')).error).toBeNull()
      expect(await ok(owner.client.rpc('end_sessions', { ids }))).toBe(1)
      expect((await left.from('contacts').select('id')).status).toBe(401)
      const refresh_token = data.session?.refresh_token ?? ''
      expect((await left.auth.refreshSession({ refresh_token })).error).not.toBeNull()
      expect(await sessionsOf(owner.client)).toHaveLength(1)
    })

    test('signing out everywhere else ends the others at once, and nobody else’s', async () => {
      const owner = await database().signUp()
      const other = await database().signUp()
      const phone = await signInAs(owner.email, 'Phone/1.0')
      expect((await phone.auth.signOut({ scope: 'others' })).error).toBeNull()
      expect(await sessionsOf(phone)).toHaveLength(1)
      expect(await sessionsOf(other.client)).toHaveLength(1)
      const { error } = await owner.client.from('contacts').select('id')
      expect(error).not.toBeNull()
    })
  })

  describe('a new address', () => {
    test('counts once the link in the mail to it was followed', async () => {
      const owner = await database().signUp()
      const address = `${randomUUID()}@example.com`
      const { data } = await owner.client.auth.updateUser({ email: address })
      expect(data.user).toMatchObject({ email: owner.email, new_email: address })
      const mail = database().mails.find(({ to }) => to === address)
      expect(mail).toMatchObject({ account: owner.id })
      expect(mail?.text).toContain(`from ${owner.email} to ${address}`)
      expect(database().mails.filter(({ to }) => to === owner.email)).toEqual([])

      const client = database().connect()
      const confirmed = await client.auth.verifyOtp(linkIn(mail))
      expect(confirmed.data.user).toMatchObject({ id: owner.id, email: address })
      expect(
        (await client.auth.signInWithPassword({ email: owner.email, password })).error,
      ).not.toBeNull()
      const again = await client.auth.signInWithPassword({ email: address, password })
      expect(again.data.user).toMatchObject({ id: owner.id, email: address })
    })

    test('that another account has is refused', async () => {
      const owner = await database().signUp()
      const other = await database().signUp()
      const { error } = await owner.client.auth.updateUser({ email: other.email })
      expect(error).not.toBeNull()
      expect(database().mails.filter(({ to }) => to === other.email)).toEqual([])
    })
  })

  if (isSmoke) return

  describe('delete_account', () => {
    test('with another address than the account’s deletes nothing', async () => {
      const owner = await database().signUp()
      await add(owner, 'contacts')
      for (const address of ['', 'ada@example.com', `x${owner.email}`]) {
        const { error, status } = await owner.client.rpc('delete_account', { address })
        expect(status).toBe(400)
        expect(error?.message).toBe(
          'This is not the email address of your account. Nothing was deleted.',
        )
      }
      expect(await ok(owner.client.from('contacts').select('id'))).toHaveLength(1)
    })

    test('is not for whoever has no session', async () => {
      const { error } = await database().anonymous.rpc('delete_account', { address: '' })
      expect(error?.code).toBe('42501')
    })

    test('leaves nothing of the account in any table of any schema, nor a mail', async () => {
      const owner = await database().signUp()
      const neighbour = await database().signUp()
      for (const account of [owner, neighbour]) await fill(account)
      const pending = `${randomUUID()}@example.com`
      expect((await owner.client.auth.updateUser({ email: pending })).error).toBeNull()
      // Each table that may hold something of an account does.
      const filled = (await traces(database(), owner)).map((trace) => trace.split(':')[0])
      expect(filled).toEqual(expect.arrayContaining(await ownedTables(database())))
      const before = await traces(database(), neighbour)

      const address = `  ${owner.email.toUpperCase()} `
      expect((await owner.client.rpc('delete_account', { address })).error).toBeNull()

      expect(await traces(database(), owner)).toEqual([])
      expect(await traces(database(), { ...owner, email: pending })).toEqual([])
      expect(database().mails.filter(({ to }) => to === owner.email || to === pending)).toEqual([])
      expect(await traces(database(), neighbour)).toEqual(before)

      const { error } = await owner.client.from('contacts').select('id')
      expect(error).not.toBeNull()
      const signIn = await database()
        .connect()
        .auth.signInWithPassword({ email: owner.email, password })
      expect(signIn.error?.message).toBe('Invalid login credentials')
    })
  })

  test('a backup holds no credential, token or secret, wherever one lies', async () => {
    const owner = await database().signUp()
    await fill(owner)
    const backup = (await backUp(owner)).flatMap(({ lines }) => lines).join('\n')
    expect(backup).toContain('smtp.example.com')
    const columns = await database().query<{ place: string; name: string }>(
      `select format('%I.%I', table_schema, table_name) as place, column_name as name from information_schema.columns c
       where table_schema in ('public', 'private', 'auth') and column_name ~ '(secret|token|hash|password|challenge)'
         and exists (select from information_schema.tables t where (t.table_schema, t.table_name, t.table_type) = (c.table_schema, c.table_name, 'BASE TABLE'))`,
    )
    const places: string[] = []
    for (const { place, name } of columns) {
      const values = await database().query<{ value: string }>(
        `select distinct "${name}"::text as value from ${place} where char_length("${name}"::text) between 16 and 500 limit 5000`,
      )
      if (values.length > 0) places.push(place)
      expect(
        values.filter(({ value }) => backup.includes(value)),
        `${place}.${name}`,
      ).toEqual([])
    }
    expect(places).toEqual(
      expect.arrayContaining([
        ...['auth.users', 'private.access_tokens', 'private.mail_secrets'],
        ...['private.webhook_secrets', 'public.calendar_feeds', 'public.card_feeds'],
      ]),
    )
  })

  async function fill(account: Account): Promise<void> {
    for (const name of Object.keys(samples) as SampleTable[]) await add(account, name)
    await ok(account.client.rpc('create_calendar_feed'))
    await ok(account.client.rpc('create_card_feed'))
    for (const scope of ['write', 'propose']) {
      const made = await ok(account.client.rpc('create_access_token', { name: scope, scope }))
      await ok(
        database().anonymous.rpc(
          'call_with_token' as never,
          {
            p_token: (made as { token: string }).token,
            p_name: 'save_record',
            p_args: { kind: 'companies', changes: { name: scope } },
          } as never,
        ),
      )
    }
    const field = await add(account, 'fields')
    // A removed option leaves a trace, too.
    const option = { id: '~aaaaaa1', name: 'Gold', color: 'yellow' }
    const choice = await add(account, 'fields', {
      name: 'Level',
      kind: 'choice',
      options: [option],
    })
    await ok(account.client.from('fields').update({ options: [] }).eq('id', choice.id).select())
    await ok(account.client.rpc('delete_field', { id: String(field.id) }))
    const imports = importCalls(account)
    const rows = rowsOf({ first_name: 'Ada', email: account.email }, { email: account.email })
    await imports.whole('contacts', rows)
    await imports.check(await imports.staged('contacts', rows))
    const restore = { id: randomUUID(), version: 1, tables: { companies: 1 } }
    expect((await account.client.rpc('start_restore', restore)).error).toBeNull()
    await ok(account.client.from('contacts').update({ notes: 'x' }).neq('notes', 'x').select())
    await database().query(
      "select private.plan_job('test', null, ?::uuid, jsonb_build_object('to', ?::text))",
      account.id,
      account.email,
    )
    const events = ['created']
    const hook = await ok(
      account.client.rpc('create_webhook', { url: 'http://127.0.0.1:9/', events }),
    )
    // Refused by the rule on addresses, and so never sent.
    await ok(account.client.rpc('test_webhook', { id: String(Reflect.get(Object(hook), 'id')) }))
    const write = {
      batch: randomUUID(),
      action: 'add contact',
      args: { values: { id: randomUUID(), first_name: 'Ada' } },
    }
    await ok(account.client.rpc('write_once', write))
    await ok(account.client.rpc('set_agenda', { hour: 7 }))
    // What the server writes that reads and sends mails.
    await database().query(
      `with box as (select id, user_id from public.mail_accounts where user_id = ? limit 1),
        secret as (insert into private.mail_secrets (account_id, user_id, secret) select id, user_id, 'v1.the-sealed-password-of-a-mailbox' from box),
        stranger as (
          insert into private.mail_strangers (user_id, address, marks, last_at) select user_id, 'eve@example.com', '{a,b}', now() from box
        )
      insert into private.outgoing_mails (user_id, account_id, message_id, recipients) select user_id, id, '<out@example.com>', '[]' from box`,
      account.id,
    )
    // Measured when several deals have left a stage.
    await database().query(
      `insert into private.usual_stays (user_id, stage_id, stay)
      select user_id, id, interval '3 days' from public.pipeline_stages where user_id = ? limit 1`,
      account.id,
    )
  }
})

/** The tables of ours whose rows have an owner. */
async function ownedTables({ query }: TestDatabase): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('public', 'private') and column_name = 'user_id' and table_type = 'BASE TABLE'
      -- Of work under way, during which the account's requests wait; it is empty by the time this one is served.
      and table_name not in ('unfinished_work', 'unfinished_parts', 'import_plans', 'import_people')`,
  )
  return tables.map(({ name }) => name)
}

/** Every table that holds the id or the address of an account, with how many rows do. */
async function traces({ query }: TestDatabase, { id, email }: Account): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await query<{ count: number }>(
      `select count(*)::int as count from ${name} t
      where strpos(t::text, ?) > 0 or strpos(lower(t::text), lower(?)) > 0`,
      id,
      email,
    )
    if (row?.count) found.push(`${name}: ${row.count}`)
  }
  return found
}
