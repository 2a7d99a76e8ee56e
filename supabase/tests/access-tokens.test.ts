import { describe, expect, test } from 'vitest'
import { databaseFunctions } from '#domain/interface/database-functions.ts'
import { eraseExpired } from '#server/backend/cleaning.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Token = { id: string; token: string }

/** Of many shapes. */
type Answer = ReturnType<typeof JSON.parse>

type Listed = {
  id: string
  name: string
  scope: string
  has_ended: boolean
  last_used_at: string | null
  last_address: string | null
  refused_at: string | null
  refused_address: string | null
}

onAnyDatabase((database) => {
  async function tokenOf(
    owner: Account,
    scope: 'read' | 'propose' | 'write',
    name = 'Claude',
  ): Promise<Token> {
    return (await ok(owner.client.rpc('create_access_token', { name, scope }))) as Token
  }

  // The types of the client know what a session may call; this is for whoever has none.
  const callAs = (p_token: string | null, p_name: string | null, p_args: object | null) =>
    database().anonymous.rpc('call_with_token' as never, { p_token, p_name, p_args } as never)

  async function call(token: string, name: string, args: object = {}) {
    const { data, error, status } = await callAs(token, name, args)
    const answer: Answer = data
    return { status, data: answer, error }
  }

  const listOf = async ({ client }: Account) => (await ok(client.rpc('access_tokens'))) as Listed[]

  async function historyOf({ client }: Account) {
    const { rows } = (await ok(client.rpc('history_page'))) as unknown as {
      rows: { batch: string; by: string | null }[]
    }
    return rows
  }

  describe('a token', () => {
    test('is shown once, and kept as a hash that says nothing', async () => {
      const owner = await database().signUp()
      const { id, token } = await tokenOf(owner, 'read', '  Claude ')
      expect(token).toMatch(/^solo_[0-9a-f]{64}$/)
      const [row] = await database().query<{ all: string }>(
        'select t::text as all from private.access_tokens t where id = ?',
        id,
      )
      expect(row?.all).not.toContain(token.slice(5))
      expect(await listOf(owner)).toMatchObject([{ id, name: 'Claude', scope: 'read' }])
      expect(JSON.stringify(await listOf(owner))).not.toContain(token)
    })

    test('calls what the page of the interface lists, with its arguments', async () => {
      const rows = await database().query<{ name: string; args: string }>(
        `select f.name, array_to_string(p.proargnames, ', ') as args
         from private.listed_functions() f join pg_catalog.pg_proc p on p.oid = to_regproc(f.routine)`,
      )
      const listed = databaseFunctions.map(({ name, args }) => ({ name, args }))
      expect(rows.map(({ name, args }) => ({ name, args: args ?? '' }))).toEqual(listed)
    })

    test('reads what its owner reads, as their policies say, and nothing of others', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      const own = await add(owner, 'contacts', { first_name: 'Ada' })
      const foreign = await add(other, 'contacts', { first_name: 'Ada' })
      const { token } = await tokenOf(owner, 'read')
      const { status, data } = await call(token, 'list_contacts')
      expect(status).toBe(200)
      expect(data.rows.map(({ id }: { id: string }) => id)).toEqual([own.id])
      const args = { kind: 'contacts', id: foreign.id }
      expect((await call(token, 'get_record', args)).status).toBe(404)
      expect((await call(token, 'about')).data).toMatchObject({
        token: { name: 'Claude', scope: 'read' },
        currency: 'USD',
        pipelines: [{ name: 'Sales Pipeline' }],
      })
    })

    test('notes when and from where it was last used', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'read')
      const { backend } = database()
      const response = await backend.fetch(
        new Request('http://127.0.0.1:3000/rest/v1/rpc/call_with_token', {
          method: 'POST',
          headers: {
            apikey: backend.publicKey,
            'content-type': 'application/json',
            'cf-connecting-ip': '9.9.9.9',
            'x-forwarded-for': '8.8.8.8',
          },
          body: JSON.stringify({ p_token: token, p_name: 'today', p_args: {} }),
        }),
        null,
        { client: '203.0.113.7' },
      )
      expect(response.status).toBe(200)
      const [listed] = await listOf(owner)
      expect(listed?.last_address).toBe('203.0.113.7')
      expect(Date.now() - Date.parse(listed?.last_used_at ?? '')).toBeLessThan(60_000)
    })

    test('that nobody knows is told so whatever stands behind the address, and so is counted', async () => {
      const { backend } = database()
      for (const query of ['limit=0', 'offset=1', 'select=message', 'columns=p_token', 'x=eq.1']) {
        const response = await backend.fetch(
          new Request(`http://127.0.0.1:3000/rest/v1/rpc/call_with_token?${query}`, {
            method: 'POST',
            headers: { apikey: backend.publicKey, 'content-type': 'application/json' },
            body: JSON.stringify({ p_token: 'solo_x', p_name: 'today', p_args: {} }),
          }),
          null,
          { client: '203.0.113.7' },
        )
        const { code } = await response.json()
        expect([response.status, code], query).toEqual([401, 'unknown_token'])
      }
    })

    test('that is revoked or expired is answered with 401, and the try is noted', async () => {
      const owner = await database().signUp()
      const { id, token } = await tokenOf(owner, 'write')
      expect(await ok(owner.client.rpc('revoke_access_tokens', { ids: [id] }))).toBe(1)
      const refused = await call(token, 'list_contacts')
      expect(refused.status).toBe(401)
      expect(refused.error).toMatchObject({ code: 'revoked_token' })
      const expired = await tokenOf(owner, 'write')
      await database().query(
        "update private.access_tokens set expires_at = now() - interval '1 minute' where id = ?",
        expired.id,
      )
      const late = await call(expired.token, 'list_contacts')
      expect([late.status, late.error?.code]).toEqual([401, 'expired_token'])
      const listed = await listOf(owner)
      expect(listed.map(({ has_ended, refused_at }) => [has_ended, refused_at !== null])).toEqual([
        [true, true],
        [true, true],
      ])
      await owner.client.rpc('remove_access_token', { id })
      expect((await call(token, 'list_contacts')).error?.code).toBe('unknown_token')
    })

    test('leads to its account, so that what all of them ask for counts together', async () => {
      const owner = await database().signUp()
      const [one, other] = [await tokenOf(owner, 'read'), await tokenOf(owner, 'write')]
      const { backend } = database()
      const accountOf = (token: string) => backend.accountOfToken(token, '203.0.113.7')
      expect(await accountOf(one.token)).toBe(owner.id)
      expect(await accountOf(`${one.token}0`)).toBeNull()
      // Whoever has a copy of one that was revoked uses up nothing of its account.
      await owner.client.rpc('revoke_access_tokens', { ids: [other.id] })
      expect(await accountOf(other.token)).toBeNull()
    })

    test('that works is not removed, nor are those of others revoked', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      const { id, token } = await tokenOf(owner, 'read')
      await owner.client.rpc('remove_access_token', { id })
      expect(await ok(other.client.rpc('access_tokens'))).toEqual([])
      expect((await other.client.rpc('revoke_access_tokens', { ids: [id] })).data).toBe(0)
      expect((await other.client.rpc('revoke_access_tokens')).data).toBe(0)
      expect((await call(token, 'about')).status).toBe(200)
      expect((await owner.client.rpc('revoke_access_tokens')).data).toBe(1)
    })

    test('nobody knows is 401 like one of another form', async () => {
      for (const token of ['', 'x', `solo_${'0'.repeat(64)}`, 'x'.repeat(5000)]) {
        const { status, error } = await call(token, 'about')
        expect([status, error?.code]).toEqual([401, 'unknown_token'])
      }
      const { status } = await callAs(null, null, null)
      expect(status).toBe(401)
    })

    test('of a deleted account is unknown', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'write')
      await owner.client.rpc('delete_account', { address: owner.email })
      expect((await call(token, 'about')).error?.code).toBe('unknown_token')
    })

    test('needs a name, a scope and an end in the future', async () => {
      const { client } = await database().signUp()
      for (const args of [
        { name: ' ', scope: 'read' },
        { name: 'x'.repeat(61), scope: 'read' },
        { name: 'x', scope: 'admin' },
        { name: 'x', scope: 'read', expires_at: '2020-01-01' },
      ]) {
        expect((await client.rpc('create_access_token', args)).status).toBe(400)
      }
      expect(await ok(client.rpc('access_tokens'))).toEqual([])
    })
  })

  describe('the list of functions', () => {
    test('is closed, and takes the arguments that it names', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'write')
      for (const name of [
        'delete_contacts',
        'backup_page',
        'delete_account',
        'create_access_token',
        'pg_sleep',
        '',
      ]) {
        expect((await call(token, name)).status).toBe(404)
      }
      expect(await call(token, 'search', { word: 'x' })).toMatchObject({
        status: 400,
        error: { message: 'search has no argument called word. Nothing was done.' },
      })
      expect((await call(token, 'get_record', { kind: 'deals' })).error?.message).toBe(
        'get_record needs the argument id. Nothing was done.',
      )
      expect((await call(token, 'search', [] as never)).status).toBe(400)
      expect((await call(token, 'search', { words: 'x'.repeat(200_001) })).status).toBe(413)
    })

    test('answers all that reads', async () => {
      const owner = await database().signUp()
      await ok(owner.client.rpc('load_sample_data'))
      const { token } = await tokenOf(owner, 'read')
      const { data: found } = await call(token, 'search', { words: 'halden' })
      const deal = found.find(({ kind }: { kind: string }) => kind === 'deals')
      const { data } = await call(token, 'get_record', { kind: 'deals', id: deal.id, page_size: 1 })
      expect(data.record.name).toContain('Halden')
      expect(data.timeline).toHaveLength(1)
      const next = { kind: 'deals', id: deal.id, page_size: 1, ...data.next }
      expect((await call(token, 'get_record', next)).data.timeline).not.toEqual(data.timeline)
      for (const [name, args] of [
        ['list_companies', { filter: { search: 'a' }, page_size: 2 }],
        ['list_deals', { sort: 'value', descending: true, page_size: 2 }],
        ['list_tasks', { filter: { status: 'pending' }, page_size: 2 }],
        ['today', {}],
        ['figures', {}],
        ['history', {}],
      ] as const) {
        expect((await call(token, name, args)).status, name).toBe(200)
      }
      const contact = found.find(({ kind }: { kind: string }) => kind === 'contacts')
      const text = await call(token, 'read_text', {
        kind: 'contacts',
        id: contact.id,
        field: 'email',
        start: 2,
      })
      expect(text.data).toMatchObject({ start: 2, next: null })
    })
  })

  describe('the scope "read"', () => {
    test('writes nothing, and a function that would is stopped by the transaction', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'read')
      const args = { kind: 'contacts', changes: { first_name: 'Ada' } }
      expect(await call(token, 'save_record', args)).toMatchObject({
        status: 403,
        error: { message: 'This access token may only read. Nothing was saved.' },
      })
      const [today] = await database().query<{ whole: string }>(
        "select pg_get_functiondef('private.today()'::regprocedure) as whole",
      )
      await database().query(`create or replace function private.today() returns jsonb language sql
        set search_path = '' as $$ insert into public.companies (name) values ('x') returning '1'::jsonb $$`)
      try {
        expect((await call(token, 'today')).status).toBe(405)
      } finally {
        await database().query(today?.whole ?? '')
      }
      expect(await ok(owner.client.from('companies').select('id'))).toEqual([])
    })
  })

  test('reads no more than 5 MB at once', async () => {
    const owner = await database().signUp()
    const { token } = await tokenOf(owner, 'read')
    const notes = 'x'.repeat(50_000)
    const rows = Array.from({ length: 120 }, () => ({ first_name: 'Ada', notes }))
    await ok(owner.client.from('contacts').insert(rows).select('id'))
    expect((await call(token, 'list_contacts', { page_size: 80 })).status).toBe(200)
    expect(await call(token, 'list_contacts', { page_size: 120 })).toMatchObject({
      status: 413,
      error: { message: expect.stringMatching(/^This answer is too long: at most 5 MB/) },
    })
  })

  describe('the scope "write"', () => {
    test('writes batches in the name of the token, which its owner and the token undo', async () => {
      const owner = await database().signUp()
      await ok(owner.client.rpc('load_sample_data'))
      const { token } = await tokenOf(owner, 'write')
      const { data: found } = await call(token, 'search', { words: 'Halden line monitoring' })
      const deal = found.find(({ kind }: { kind: string }) => kind === 'deals')
      const { data: about } = await call(token, 'about')
      const stage = about.pipelines[0].stages.find(({ name }: { name: string }) => name === 'Lead')
      const moved = await call(token, 'move_deal', { id: deal.id, stage_id: stage.id })
      expect(moved.data.record).toMatchObject({ stage_id: stage.id })
      const [entry] = await historyOf(owner)
      expect(entry).toMatchObject({ batch: moved.data.batch, by: 'Claude' })
      const timeline = (await ok(
        owner.client.rpc('record_timeline', { record: 'deal', id: deal.id, page_size: 1 }),
      )) as { by: string | null }[]
      expect(timeline).toMatchObject([{ by: 'Claude' }])
      const undone = await call(token, 'undo', { batch: moved.data.batch })
      expect(undone.data).toMatchObject({ undone: 1, conflicts: [] })
      expect((await historyOf(owner))[0]).toMatchObject({ by: 'Claude', undoes: moved.data.batch })

      const logged = await call(token, 'log_note', {
        note: { kind: 'call', body: 'Wants an offer', minutes: 12, deal_id: deal.id },
        next_step: { title: 'Send the offer' },
      })
      expect(logged.data.task).toMatchObject({ title: 'Send the offer', deal_id: deal.id })
      const notes = (await ok(
        owner.client.rpc('record_timeline', {
          record: 'deal',
          id: deal.id,
          kind: 'call',
          page_size: 1,
        }),
      )) as object[]
      expect(notes).toMatchObject([{ by: 'Claude', note: { body: 'Wants an offer' } }])
      const done = await call(token, 'complete_task', { id: logged.data.task.id })
      expect(done.data.record).toMatchObject({ completed: true })
      expect((await call(token, 'complete_task', { id: logged.data.task.id })).status).toBe(409)

      const made = await call(token, 'save_record', {
        kind: 'contacts',
        changes: {
          first_name: 'Ada',
          tags: ['vip'],
          emails: [{ label: 'work', value: 'a@b.example' }],
        },
      })
      expect(made.data.record).toMatchObject({
        first_name: 'Ada',
        email: 'a@b.example',
        tags: ['vip'],
      })
      const changed = await call(token, 'save_record', {
        kind: 'contacts',
        id: made.data.id,
        changes: { role_title: 'Engineer' },
      })
      expect(changed.data.record).toMatchObject({ first_name: 'Ada', role_title: 'Engineer' })
      await ok(owner.client.rpc('undo_batch', { batch: changed.data.batch }))
      const [row] = await ok(
        owner.client.from('contacts').select('role_title').eq('id', made.data.id),
      )
      expect(row).toEqual({ role_title: null })
    })

    test('does not undo what its owner did', async () => {
      const owner = await database().signUp()
      await add(owner, 'companies')
      const [{ batch } = { batch: '' }] = await historyOf(owner)
      const { token } = await tokenOf(owner, 'write')
      expect((await call(token, 'undo', { batch })).status).toBe(403)
      expect(await ok(owner.client.from('companies').select('id'))).toHaveLength(1)
    })

    test('sets only fields, links nothing of others, and names what is wrong', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      const foreign = await add(other, 'companies')
      const { token } = await tokenOf(owner, 'write')
      const save = (kind: string, changes: object, id?: string) =>
        call(token, 'save_record', { kind, changes, ...(id ? { id } : {}) })
      expect((await save('contacts', { user_id: other.id })).status).toBe(400)
      expect((await save('contacts', { created_at: '2000-01-01' })).status).toBe(400)
      expect((await save('access_tokens', { name: 'x' })).status).toBe(400)
      // The app alone logs emails, and no other door than log_note leads there.
      const email = { kind: 'email', body: 'x' }
      const line = { contact: { first_name: 'x' }, note: email }
      expect((await call(token, 'log_note', { note: email })).status).toBe(400)
      expect((await call(token, 'quick_add', { line })).status).toBe(400)
      expect((await save('contacts', { company_id: foreign.id })).status).toBe(409)
      expect((await save('companies', { name: 'Taken' }, foreign.id)).status).toBe(404)
      expect(await ok(other.client.from('companies').select('name'))).toEqual([{ name: 'Acme' }])
      expect(await ok(owner.client.from('contacts').select('id'))).toEqual([])
    })
  })

  describe('the scope "propose"', () => {
    type Proposal = {
      id: string
      by: string
      card: object
      changes: { before: object; after: object }[]
      is_cut: boolean
    }
    const proposalsOf = async ({ client }: Account) =>
      (await ok(client.rpc('proposals'))) as unknown as Proposal[]
    const decide = async ({ client }: Account, ids: string[], approve: boolean) =>
      (await ok(client.rpc('decide_proposals', { ids, approve }))) as {
        status: string
        message?: string
        batch?: string
      }[]

    test('writes nothing until its owner approves, then one batch in its name', async () => {
      const owner = await database().signUp()
      const company = await add(owner, 'companies', { name: 'Acme' })
      const { token } = await tokenOf(owner, 'propose')
      const before = (await historyOf(owner)).length
      const rename = { kind: 'companies', id: company.id, changes: { name: 'Acme Ltd' } }
      const proposed = await call(token, 'save_record', rename)
      expect(proposed.status).toBe(202)
      expect(await historyOf(owner)).toHaveLength(before)
      const [waiting] = await proposalsOf(owner)
      expect(waiting).toMatchObject({
        id: proposed.data.proposal,
        by: 'Claude',
        card: { groups: [{ table_name: 'companies', verb: 'update' }] },
        changes: [{ before: { name: 'Acme' }, after: { name: 'Acme Ltd' } }],
      })
      expect(await decide(owner, [waiting?.id ?? ''], true)).toMatchObject([{ status: 'approved' }])
      expect(await proposalsOf(owner)).toEqual([])
      expect((await historyOf(owner))[0]).toMatchObject({ by: 'Claude' })
      const rows = await ok(owner.client.from('companies').select('name'))
      expect(rows).toEqual([{ name: 'Acme Ltd' }])
      expect(await decide(owner, [waiting?.id ?? ''], true)).toEqual([])
    })

    test('tells a proposal whose record has changed since, and shows it anew', async () => {
      const owner = await database().signUp()
      const company = await add(owner, 'companies', { name: 'Acme' })
      const { token } = await tokenOf(owner, 'propose')
      await call(token, 'save_record', {
        kind: 'companies',
        id: company.id,
        changes: { name: 'New' },
      })
      await owner.client.from('companies').update({ name: 'Mine' }).eq('id', company.id)
      const [waiting] = await proposalsOf(owner)
      const ids = [waiting?.id ?? '']
      expect(await decide(owner, ids, true)).toMatchObject([{ status: 'failed' }])
      expect(await proposalsOf(owner)).toMatchObject([{ changes: [{ before: { name: 'Mine' } }] }])
      expect(await decide(owner, ids, true)).toMatchObject([{ status: 'approved' }])
    })

    test('is declined or expires, one by one or all, and by nobody else', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      const { token } = await tokenOf(owner, 'propose')
      for (const name of ['One', 'Two', 'Three']) {
        await call(token, 'save_record', { kind: 'companies', changes: { name } })
      }
      const ids = (await proposalsOf(owner)).map(({ id }) => id)
      expect(ids).toHaveLength(3)
      expect(await proposalsOf(other)).toEqual([])
      expect(await decide(other, ids, true)).toEqual([])
      expect(await decide(owner, ids.slice(0, 1), false)).toMatchObject([{ status: 'declined' }])
      await database().query('alter table private.proposals disable trigger keep_identity')
      await database().query(
        "update private.proposals set created_at = now() - interval '15 days' where id = ?",
        ids[1],
      )
      await database().query('alter table private.proposals enable trigger keep_identity')
      expect(await proposalsOf(owner)).toHaveLength(1)
      expect(await ok(owner.client.rpc('waiting_counts'))).toEqual({
        proposals: 1,
        leads: 0,
        webhooks: 0,
      })
      // The cleaning job takes it away, and no other.
      const kept = () =>
        database().query('select id from private.proposals where user_id = ?', owner.id)
      expect(await kept()).toHaveLength(2)
      await eraseExpired(database().connection)
      expect(await kept()).toEqual([{ id: expect.not.stringMatching(String(ids[1])) }])
      expect(await decide(owner, ids, true)).toHaveLength(1)
      expect(await ok(owner.client.from('companies').select('id'))).toHaveLength(1)
    })

    test('may propose an undo of what a token wrote, which is one when it is approved', async () => {
      const owner = await database().signUp()
      const writer = await tokenOf(owner, 'write', 'Writer')
      const { token } = await tokenOf(owner, 'propose', 'Careful')
      const made = await call(writer.token, 'save_record', {
        kind: 'companies',
        changes: { name: 'Mistake' },
      })
      const { batch } = made.data
      const namesOf = async () =>
        (await ok(owner.client.from('companies').select('name'))).map(({ name }) => name)
      const proposed = await call(token, 'undo', { batch })
      expect([proposed.status, proposed.data.changes]).toMatchObject([202, [{ verb: 'delete' }]])
      expect(await namesOf()).toEqual(['Mistake'])
      const ids = (await proposalsOf(owner)).map(({ id }) => id)
      const [approved] = await decide(owner, ids, true)
      expect(approved).toMatchObject({ status: 'approved' })
      expect(await namesOf()).toEqual([])
      expect((await historyOf(owner))[0]).toMatchObject({ batch: approved?.batch, by: 'Careful' })
      // Undone once it changes nothing more, and the undo itself is undone as any other batch.
      expect((await call(token, 'undo', { batch })).status).toBe(409)
      await ok(owner.client.rpc('undo_batch', { batch: approved?.batch ?? '' }))
      expect(await namesOf()).toEqual(['Mistake'])
      // What the owner did is nothing to propose the undo of; nor is what changed meanwhile undone.
      const own = await add(owner, 'companies', { name: 'Own' })
      const [last] = await historyOf(owner)
      expect((await call(token, 'undo', { batch: last?.batch })).status).toBe(403)
      const second = await call(writer.token, 'save_record', {
        ...{ kind: 'companies', id: own.id, changes: { name: 'Changed' } },
      })
      await call(token, 'undo', { batch: second.data.batch })
      await owner.client.from('companies').update({ name: 'Mine' }).eq('id', own.id)
      const later = (await proposalsOf(owner)).map(({ id }) => id)
      expect(await decide(owner, later, true)).toMatchObject([{ status: 'failed' }])
      expect(await namesOf()).toContain('Mine')
    })

    test('is withdrawn when its token is revoked, and no other', async () => {
      const owner = await database().signUp()
      const [stolen, other] = [await tokenOf(owner, 'propose'), await tokenOf(owner, 'propose')]
      for (const { token } of [stolen, other, stolen]) {
        await call(token, 'save_record', { kind: 'companies', changes: { name: token } })
      }
      await ok(owner.client.rpc('revoke_access_tokens', { ids: [stolen.id] }))
      const kept = await proposalsOf(owner)
      expect(kept).toMatchObject([{ changes: [{ after: { name: other.token } }] }])
      // The others are gone, not only hidden.
      const left = await database().query(
        'select id from private.proposals where user_id = ?',
        owner.id,
      )
      expect(left).toEqual([{ id: kept[0]?.id }])
      // One that was written in the same moment is not found afterwards either.
      await database().query(
        'update private.proposals set token_id = ? where id = ?',
        stolen.id,
        kept[0]?.id,
      )
      expect(await proposalsOf(owner)).toEqual([])
      expect(await decide(owner, [kept[0]?.id ?? ''], true)).toEqual([])
      expect(await ok(owner.client.from('companies').select('id'))).toEqual([])
    })

    test('does what was shown: new records and the time of writing are no difference, another record is', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'propose')
      const line = (first_name: string) => ({
        line: { contact: { first_name }, company: { name: 'Acme' }, task: { title: 'Call' } },
      })
      expect((await call(token, 'quick_add', line('Ada'))).status).toBe(202)
      const [made] = await proposalsOf(owner)
      const added = made?.changes.map(({ after }) => after)
      expect(added).toMatchObject([
        { name: 'Acme' },
        { first_name: 'Ada', company_id: 'new 1' },
        { title: 'Call' },
      ])
      expect(await decide(owner, [made?.id ?? ''], true)).toMatchObject([{ status: 'approved' }])
      // From now on there is an Acme; the line would lead to another one by the time it is approved.
      await call(token, 'quick_add', line('Bob'))
      await owner.client.from('companies').delete().eq('name', 'Acme')
      const other = await add(owner, 'companies', { name: 'Acme' })
      const ids = (await proposalsOf(owner)).map(({ id }) => id)
      expect(await decide(owner, ids, true)).toMatchObject([{ status: 'failed' }])
      const [shown] = await proposalsOf(owner)
      expect(shown?.changes[0]?.after).toMatchObject({ company_id: other.id })
      expect(await decide(owner, ids, true)).toMatchObject([{ status: 'approved' }])
    })

    test('is read by itself where it is long, and all that wait are at most 10 MB', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'propose')
      const body = `${'x'.repeat(49_000)} "end"`
      expect((await call(token, 'log_note', { note: { kind: 'note', body } })).status).toBe(400)
      const contact = await add(owner, 'contacts', { first_name: 'Ada' })
      const note = { kind: 'note', body, contact_id: contact.id }
      expect((await call(token, 'log_note', { note })).status).toBe(202)
      const [cut] = await proposalsOf(owner)
      expect(cut).toMatchObject({
        is_cut: true,
        changes: [{ after: null, contact_id: contact.id }],
      })
      expect(JSON.stringify(cut).length).toBeLessThan(5000)
      const id = cut?.id ?? ''
      expect(await ok(owner.client.rpc('proposal', { id }))).toMatchObject({
        ...{ id, is_cut: false, changes: [{ after: { body } }] },
      })
      const other = await database().signUp()
      expect((await other.client.rpc('proposal', { id })).data).toBeNull()
      await database().query(
        "update private.proposals set args = jsonb_build_object('x', repeat('x', 9950000)) where id = ?",
        id,
      )
      expect((await call(token, 'log_note', { note })).status).toBe(409)
    })

    test('that can no longer be done, or is done already, changes nothing and stays until it is declined', async () => {
      const owner = await database().signUp()
      const [company, gone] = [await add(owner, 'companies'), await add(owner, 'companies')]
      const { token } = await tokenOf(owner, 'propose')
      const rename = { kind: 'companies', id: company.id, changes: { name: 'New' } }
      expect((await call(token, 'save_record', rename)).status).toBe(202)
      const link = { kind: 'contacts', changes: { first_name: 'Ada', company_id: gone.id } }
      expect((await call(token, 'save_record', link)).status).toBe(202)
      await owner.client.from('companies').update({ name: 'New' }).eq('id', company.id)
      await owner.client.from('companies').delete().eq('id', gone.id)
      const before = await historyOf(owner)
      const ids = (await proposalsOf(owner)).map(({ id }) => id)
      expect(await decide(owner, ids, true)).toMatchObject([
        { status: 'failed', message: expect.stringMatching(/^This would no longer change/) },
        { status: 'failed', message: expect.stringMatching(/^This can no longer be done/) },
      ])
      expect(await historyOf(owner)).toEqual(before)
      expect(await ok(owner.client.from('contacts').select('id'))).toEqual([])
      expect(await proposalsOf(owner)).toHaveLength(2)
      await decide(owner, ids, false)
      expect(await proposalsOf(owner)).toEqual([])
    })

    test('is refused where it would change more than fifty records, or two hundred wait', async () => {
      const owner = await database().signUp()
      const { token } = await tokenOf(owner, 'propose')
      const added = { kind: 'companies', changes: { name: 'Acme' } }
      const propose = () => call(token, 'save_record', added)
      const rows = Array.from({ length: 51 }, () => ({ first_name: 'Ada' }))
      await ok(owner.client.from('contacts').insert(rows).select('id'))
      const [last] = await historyOf(owner)
      // No call of a token writes so many; as if one had.
      await database().query(
        "insert into private.token_batches (user_id, batch, token_name) values (?, ?, 'Claude')",
        owner.id,
        last?.batch,
      )
      expect(await call(token, 'undo', { batch: last?.batch })).toMatchObject({
        status: 409,
        error: { message: expect.stringContaining('more than 50 records') },
      })
      expect((await propose()).status).toBe(202)
      await database().query(
        `insert into private.proposals (user_id, token_name, name, args, card, changes)
         select user_id, token_name, name, args, card, changes from private.proposals p, generate_series(2, 200)
         where p.user_id = ?`,
        owner.id,
      )
      expect(await propose()).toMatchObject({
        status: 409,
        error: { message: expect.stringContaining('200 proposals') },
      })
      expect(await proposalsOf(owner)).toHaveLength(200)
    })

    test('refuses at once what could not be done, and what changes nothing', async () => {
      const owner = await database().signUp()
      const company = await add(owner, 'companies', { name: 'Acme' })
      const { token } = await tokenOf(owner, 'propose')
      const same = { kind: 'companies', id: company.id, changes: { name: 'Acme' } }
      expect((await call(token, 'save_record', same)).status).toBe(409)
      const link = { kind: 'contacts', changes: { company_id: crypto.randomUUID() } }
      expect((await call(token, 'save_record', link)).status).toBe(409)
      expect(await proposalsOf(owner)).toEqual([])
    })
  })
})
