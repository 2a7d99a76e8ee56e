import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Doubt } from '#domain/lead-doubts.ts'
import type { Lead } from '#domain/lead-reading.ts'
import { openLeads } from '#server/backend/leads.ts'
import type { Backend } from '#server/backend/start-backend.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'
import { keys } from './test-keys.ts'

const asked = (...names: string[]) =>
  names.map((name) => ({ name, label: name, is_required: false }))

function leadFrom(contact: Record<string, unknown>, more: Partial<Lead> = {}): Lead {
  const lines = Object.entries(contact).map(([label, text]) => ({ label, text: String(text) }))
  return { who: 'Ada', contact, company: null, lines, ...more }
}

type Batch = { batch: string; by: string | null; groups: { table_name: string; verb: string }[] }

onAnyDatabase((database) => {
  const addressOf = (form: object) => String(Reflect.get(form, 'slug'))
  async function submit(
    form: object,
    lead: Lead,
    doubts: Doubt[] = [],
    { leads }: Pick<Backend, 'leads'> = database().backend,
  ) {
    const shown = await leads.form(addressOf(form))
    return shown && leads.submit(shown, addressOf(form), lead, doubts)
  }

  async function formOf(owner: Account, values: Record<string, unknown> = {}) {
    const fields = asked('first_name', 'last_name', 'email', 'phone_number', 'company', 'message')
    return add(owner, 'forms', { fields, tag: null, ...values })
  }

  async function historyOf({ client }: Account): Promise<Batch[]> {
    return ((await ok(client.rpc('history_page'))) as unknown as { rows: Batch[] }).rows
  }

  const contactsOf = ({ client }: Account) =>
    ok(client.from('contacts').select().order('created_at'))
  const submissionsOf = ({ client }: Account) => ok(client.from('form_submissions').select())

  describe('a submission', () => {
    test('makes all that the form says, in one batch that is undone whole', async () => {
      const owner = await database().signUp()
      const { client } = owner
      const field = await add(owner, 'fields', { name: 'Budget', kind: 'number' })
      const collection = await add(owner, 'collections')
      const [pipeline] = await ok(client.from('pipelines').select())
      const form = await formOf(owner, {
        name: 'Website',
        fields: asked('first_name', 'email', 'company', 'message', `custom.${field.id}`),
        collection_id: collection.id,
        tag: 'web',
        pipeline_id: pipeline?.id,
        task_title: 'Call back',
        task_days: 2,
      })
      const lead = leadFrom(
        { first_name: 'Ada', email: 'ada@lead.example', custom: { [field.id]: 1200 } },
        { company: 'Acme', lines: [{ label: 'Message', text: 'Hello\nthere' }] },
      )
      expect(await submit(form, lead)).toEqual({ status: 'accepted' })

      const [contact] = await contactsOf(owner)
      expect(contact).toMatchObject({
        first_name: 'Ada',
        email: 'ada@lead.example',
        tags: ['web'],
        custom: { [field.id]: 1200 },
        lead_status: 'New',
      })
      expect(await ok(client.from('companies').select('id, name'))).toEqual([
        { id: contact?.company_id, name: 'Acme' },
      ])
      expect(await ok(client.from('collection_members').select('contact_id'))).toEqual([
        { contact_id: contact?.id },
      ])
      const [first] = await ok(client.from('pipeline_stages').select().order('order').limit(1))
      expect(await ok(client.from('deals').select())).toMatchObject([
        { name: 'Ada · Website', contact_id: contact?.id, stage_id: first?.id },
      ])
      expect(await ok(client.from('tasks').select())).toMatchObject([
        { title: 'Call back', contact_id: contact?.id, due_all_day: true },
      ])
      expect(await ok(client.from('notes').select())).toMatchObject([
        { body: 'Message: Hello\nthere', contact_id: contact?.id, kind: 'note' },
      ])

      const [batch] = await historyOf(owner)
      expect(batch?.by).toBe('Form Website')
      const timeline = await ok(
        client.rpc('record_timeline', { record: 'contact', id: contact?.id ?? '' }),
      )
      expect(timeline).toContainEqual(expect.objectContaining({ kind: 'note', by: 'Form Website' }))
      await ok(client.rpc('undo_batch', { batch: batch?.batch ?? '' }))
      for (const table of ['contacts', 'companies', 'deals', 'tasks', 'notes'] as const) {
        expect(await ok(client.from(table).select('id')), table).toEqual([])
      }
      expect(await submissionsOf(owner)).toEqual([])
    })

    test('fills what a known contact lacks, and overwrites nothing', async () => {
      const owner = await database().signUp()
      const { id } = await add(owner, 'contacts', {
        first_name: 'Augusta',
        last_name: null,
        email: 'main@known.example',
        emails: [{ value: 'main@known.example' }, { value: 'Second@known.example' }],
        tags: ['vip'],
      })
      const form = await formOf(owner, { tag: 'web' })
      const reported = { first_name: 'Ada', last_name: 'King', email: 'second@KNOWN.example' }
      await submit(form, leadFrom({ ...reported, phone_number: '+44 1' }))
      expect(await contactsOf(owner)).toMatchObject([
        {
          id,
          first_name: 'Augusta',
          last_name: 'King',
          email: 'main@known.example',
          phone_number: '+44 1',
          tags: ['vip', 'web'],
        },
      ])
      const [note] = await ok(owner.client.from('notes').select())
      expect(note?.body).toContain('first_name: Ada')
    })

    test('that comes twice counts once, and two at once with one address make one contact', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner)
      const lead = leadFrom({ email: 'twice@lead.example' })
      const answers = await Promise.all([submit(form, lead), submit(form, lead)])
      expect(answers.map((answer) => answer && 'status' in answer && answer.status).sort()).toEqual(
        ['accepted', 'repeated'],
      )
      await submit(form, leadFrom({ email: 'twice@lead.example', first_name: 'Other' }))
      expect(await contactsOf(owner)).toHaveLength(1)
      expect(await submissionsOf(owner)).toHaveLength(2)
    })

    test('tells its owner by a mail of its own, planned in the same transaction', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner, { name: 'Website' })
      const { connection } = database()
      const leads = openLeads({
        connection,
        keys,
        siteUrl: 'https://crm.example.com',
        limit: 120_000,
        hasMailServer: true,
      })
      const planned = () =>
        database().query<{ text: string; subject: string }>(
          `select payload -> 'message' ->> 'text' as text, payload -> 'message' ->> 'subject' as subject
           from private.jobs where kind = 'letter' and user_id = ? order by created_at`,
          owner.id,
        )
      // While the mail server is down, none takes the place of another.
      for (const email of ['one@lead.example', 'two@lead.example']) {
        await submit(form, leadFrom({ email }), [], { leads })
      }
      await submit(form, leadFrom({ email: 'spam@lead.example' }), ['trap'], { leads })
      expect(await planned()).toMatchObject([
        { subject: 'New lead from Website', text: expect.stringContaining('one@lead.example') },
        { subject: 'New lead from Website', text: expect.stringContaining('two@lead.example') },
      ])
      expect(await ok(owner.client.rpc('waiting_counts'))).toMatchObject({ leads: 2 })
      // Without its mail there is no submission either.
      const broken = await leads.form(addressOf(form))
      if (!broken) throw new Error('There is no form.')
      const lead = leadFrom({ email: 'three@lead.example' })
      const gone = { ...broken, account: randomUUID() }
      const refused = await leads.submit(gone, addressOf(form), lead, []).catch(() => null)
      expect(refused && 'status' in refused).not.toBe(true)
      expect(await submissionsOf(owner)).toHaveLength(3)
      await database().query("delete from private.jobs where kind = 'letter'")
    })

    test('sets only what the form asks for', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner, { fields: asked('email') })
      const reported = {
        email: 'only@lead.example',
        first_name: 'No',
        lead_score: 99,
        user_id: 'x',
      }
      await submit(form, leadFrom(reported, { company: 'No' }))
      expect(await contactsOf(owner)).toMatchObject([{ first_name: null, lead_score: 0 }])
      expect(await ok(owner.client.from('companies').select())).toEqual([])
    })

    test('cannot be taken back with an access token', async () => {
      const owner = await database().signUp()
      await submit(await formOf(owner), leadFrom({ email: 'token@lead.example' }))
      const [batch] = await historyOf(owner)
      const args = { name: 'Program', scope: 'write' }
      const { token } = (await ok(owner.client.rpc('create_access_token', args))) as {
        token: string
      }
      const undo = { p_token: token, p_name: 'undo', p_args: { batch: batch?.batch } }
      const answer = await database().anonymous.rpc('call_with_token' as never, undo as never)
      expect(answer.status).toBe(403)
      expect(await contactsOf(owner)).toHaveLength(1)
    })

    test('to no form, or to one that was deleted, is none', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner)
      const { leads } = database().backend
      expect(await submit({ slug: 'f'.repeat(32) }, leadFrom({}))).toBeNull()
      await ok(owner.client.from('forms').delete().eq('id', form.id).select())
      expect(await leads.form(addressOf(form))).toBeNull()
      expect(await submit(form, leadFrom({ email: 'x@y.z' }))).toBeNull()
      // Undo brings the form back under its address; nobody else gets it.
      const other = await database().signUp()
      const taken = await formOf(other, { id: form.id })
      expect(addressOf(taken)).not.toBe(addressOf(form))
      await ok(other.client.from('forms').delete().eq('id', taken.id).select())
      const [batch] = await historyOf(owner)
      await ok(owner.client.rpc('undo_batch', { batch: batch?.batch ?? '' }))
      expect(await leads.form(addressOf(form))).toMatchObject({ id: form.id, account: owner.id })
    })

    test('is taken for nobody by a session', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner)
      const names = ['submit_form', 'shown_form', 'card_page'] as never[]
      for (const name of names) {
        for (const { client } of [owner, { client: database().anonymous }]) {
          const args = { address: addressOf(form), token: 'x', lead: {} } as never
          const { status } = await client.rpc(name, args)
          expect([401, 403, 404]).toContain(status)
        }
      }
      expect(await contactsOf(owner)).toEqual([])
    })
  })

  describe('what looks like spam', () => {
    test('waits, tells the log nothing, and does on acceptance what it would have done', async () => {
      const owner = await database().signUp()
      const { client } = owner
      const form = await formOf(owner, { name: 'Website' })
      const before = (await historyOf(owner)).length
      const lead = leadFrom({ email: 'wait@lead.example' })
      expect(await submit(form, lead, ['trap', 'fast'])).toEqual({ status: 'waiting' })
      expect(await contactsOf(owner)).toEqual([])
      expect(await historyOf(owner)).toHaveLength(before)
      expect(await ok(client.rpc('form_counts'))).toEqual({
        [form.id]: { accepted: 0, waiting: 1 },
      })
      expect(await ok(client.rpc('new_leads'))).toEqual({ leads: [], waiting: 1 })

      const [waiting] = await submissionsOf(owner)
      expect(waiting).toMatchObject({ doubts: ['trap', 'fast'], who: 'Ada' })
      const id = waiting?.id ?? ''
      const stranger = await database().signUp()
      expect((await stranger.client.rpc('accept_submission', { id })).status).toBe(404)
      const accepted = (await ok(client.rpc('accept_submission', { id }))) as { batch: string }
      expect(await contactsOf(owner)).toMatchObject([{ email: 'wait@lead.example' }])
      expect(await ok(client.rpc('form_counts'))).toEqual({
        [form.id]: { accepted: 1, waiting: 0 },
      })
      expect((await historyOf(owner))[0]?.by).toBe('Form Website')
      expect((await client.rpc('accept_submission', { id })).status).toBe(404)

      await ok(client.rpc('undo_batch', { batch: accepted.batch }))
      expect(await contactsOf(owner)).toEqual([])
      expect(await submissionsOf(owner)).toMatchObject([{ id, status: 'waiting', lead }])
    })

    test('is deleted, with undo', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner)
      await submit(form, leadFrom({ email: 'gone@lead.example' }), ['links'])
      const [waiting] = await submissionsOf(owner)
      const ids = [waiting?.id ?? '']
      const stranger = await database().signUp()
      expect(await ok(stranger.client.rpc('delete_submissions', { ids }))).toMatchObject({
        count: 0,
      })
      const gone = (await ok(owner.client.rpc('delete_submissions', { ids }))) as { batch: string }
      expect(await submissionsOf(owner)).toEqual([])
      await ok(owner.client.rpc('undo_batch', { batch: gone.batch }))
      expect(await submissionsOf(owner)).toEqual([waiting])
    })

    test('is refused in words when a thousand wait; what is no spam still comes in', async () => {
      const owner = await database().signUp()
      const form = await formOf(owner)
      await database().query(
        `insert into public.form_submissions (user_id, form_id)
         select ?::uuid, ?::uuid from generate_series(1, 1000)`,
        owner.id,
        form.id,
      )
      const answer = await submit(form, leadFrom({ email: 'full@lead.example' }), ['trap'])
      if (!answer || !('refusal' in answer)) throw new Error('It was taken.')
      expect([answer.refusal.status, await answer.refusal.json()]).toMatchObject([
        429,
        { message: expect.stringContaining('Nothing was sent') },
      ])
      expect(await submit(form, leadFrom({ email: 'full@lead.example' }))).toEqual({
        status: 'accepted',
      })
    })
  })

  test('new leads are those that nobody has looked at', async () => {
    const owner = await database().signUp()
    const form = await formOf(owner, { name: 'Website' })
    await submit(form, leadFrom({ email: 'new@lead.example' }))
    const [contact] = await contactsOf(owner)
    const leadsOf = async () =>
      (await ok(owner.client.rpc('new_leads'))) as unknown as { leads: { id: string }[] }
    const { leads } = await leadsOf()
    expect(leads).toMatchObject([{ who: 'Ada', form: 'Website', contact_id: contact?.id }])
    const entries = (await historyOf(owner)).length
    expect(
      (await owner.client.rpc('see_leads', { ids: leads.map(({ id }) => id) })).error,
    ).toBeNull()
    expect(await leadsOf()).toMatchObject({ leads: [] })
    expect(await historyOf(owner)).toHaveLength(entries)
  })

  test('fields of a form are checked by the table', async () => {
    const owner = await database().signUp()
    const twice = asked('email', 'email')
    const odd = [[], twice, [{ name: 'email' }], [{ ...twice[0], more: 1 }], {}, asked('E-Mail!')]
    for (const fields of odd) {
      const { error } = await owner.client.from('forms').insert({ name: 'Odd', fields })
      expect(error?.code, JSON.stringify(fields)).toBe('23514')
    }
  })

  describe('the feed of cards', () => {
    const pagesOf = async (token: string) => {
      const { leads } = database().backend
      const rows: unknown[] = []
      let after: string | null = null
      do {
        const page = await leads.cards(token, after)
        if (!page) return null
        rows.push(...page.rows)
        after = page.next
      } while (after)
      return rows
    }

    test('has the account’s contacts, page by page, until it is revoked', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      await add(other, 'contacts')
      const company = await add(owner, 'companies', { name: 'Acme' })
      const rows = Array.from({ length: 1001 }, (_, n) => ({ first_name: `Card ${n}` }))
      await ok(owner.client.from('contacts').insert(rows).select('id').limit(1))
      await add(owner, 'contacts', { first_name: 'Last', company_id: company.id })
      const { token } = await ok(owner.client.rpc('create_card_feed', {}))
      const cards = await pagesOf(token)
      expect(new Set(cards?.map((card) => Object(card).first_name)).size).toBe(1002)
      expect(cards).toContainEqual(expect.objectContaining({ company_name: 'Acme' }))
      const fresh = await ok(owner.client.rpc('create_card_feed', { replacing: token }))
      expect(await pagesOf(token)).toBeNull()
      expect(await pagesOf(fresh.token)).toHaveLength(1002)
      expect((await owner.client.rpc('revoke_card_feed')).error).toBeNull()
      expect(await pagesOf(fresh.token)).toBeNull()
    })

    test('is seen by its owner alone', async () => {
      const [owner, other] = [await database().signUp(), await database().signUp()]
      await ok(owner.client.rpc('create_card_feed', {}))
      expect(await ok(other.client.from('card_feeds').select())).toEqual([])
      const row = { user_id: other.id, token: randomUUID().replaceAll('-', '').repeat(2) }
      expect((await other.client.from('card_feeds').insert(row as never)).status).toBe(403)
    })
  })
})
