import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { backUp, type Part, type RestoreOptions, sendBackup as send } from './backup-calls.ts'
import { type Account, ok, onOneDatabase, type TestDatabase } from './harness.ts'
import { gold, options } from './own-field-calls.ts'
import { add, type SampleTable, samples } from './samples.ts'

const names = Object.keys(samples) as SampleTable[]

type Answer = {
  batch: string | null
  counts: Record<string, { added: number; there: number }>
  history: number
  lost: number
}
type Row = Record<string, unknown> & { id: string }

async function restore(to: Account, parts: Part[], options: RestoreOptions = {}): Promise<Answer> {
  const answer: unknown = await ok(send(to, parts, { version: 2, ...options }))
  return answer as Answer
}

/** Everything of an account, as stored, in an order of its own. */
async function everything(database: TestDatabase, account: Account) {
  const all: Record<string, unknown[]> = {}
  for (const name of names) {
    all[name] = await database.query(
      // The address of a form follows from its account.
      `select to_jsonb(t) - 'user_id' - 'slug' as row from public.${name} t where user_id = ? order by id`,
      account.id,
    )
  }
  return all
}

/** The same, told by names in place of ids, for a comparison of accounts whose ids differ. */
async function contents(database: TestDatabase, { id }: Account) {
  const rows = await database.query<{ kind: string; row: object }>(
    `with links as (
       select c.id, c.name as name from public.companies c where c.user_id = ?
       union all select c.id, c.first_name from public.contacts c where c.user_id = ?
       union all select d.id, d.name from public.deals d where d.user_id = ?
       union all select s.id, s.name from public.pipeline_stages s where s.user_id = ?
       union all select p.id, p.name from public.pipelines p where p.user_id = ?
       union all select k.id, k.name from public.collections k where k.user_id = ?
       union all select t.id, t.title from public.tasks t where t.user_id = ?
       union all select f.id, f.name from public.forms f where f.user_id = ?
     ), rows as (
       ${names.map((name) => `select '${name}' as kind, to_jsonb(t) - 'user_id' - 'id' - 'slug' as row from public.${name} t where t.user_id = ?`).join(' union all ')}
     )
     select * from (select r.kind, (
       select jsonb_object_agg(e.key, case
         when e.key = 'custom' then (
           select jsonb_object_agg(f.name, v.value) from jsonb_each(e.value) v join public.fields f on f.id::text = v.key
         )
         when e.key = 'fields' then regexp_replace(e.value::text, '"custom\\.[^"]+', '"custom', 'g')::jsonb
         else coalesce(to_jsonb((select l.name from links l where l.id::text = e.value #>> '{}')), e.value)
       end)
       from jsonb_each(r.row) e
     ) as row
     from rows r) told order by told.kind, told.row::text`,
    ...Array.from({ length: 8 + names.length }, () => id),
  ) // Of a pair the smaller id comes first, and ids differ.
  return rows.map(({ kind, row }) =>
    kind === 'not_duplicates' ? { kind, row: Object.values(row).sort() } : { kind, row },
  )
}

/** An account with some of everything, linked, a history, and something in its trash. */
async function busy(account: Account): Promise<{ contact: Row; gone: Row }> {
  const level = await add(account, 'fields', { name: 'Level', kind: 'choice', options })
  const size = await add(account, 'fields', { record: 'deals', name: 'Size', kind: 'number' })
  const company = await add(account, 'companies', { name: 'Acme “Ä” \\ \n', tags: ['Big', 'old'] })
  const contact = await add(account, 'contacts', {
    custom: { [level.id]: gold },
    tags: ['vip'],
    birthday: '--02-29',
    emails: [
      { label: 'work', value: 'ada@work.example' },
      { label: 'My “own”', value: 'ada@home.example' },
    ],
    email: 'ada@work.example',
    first_name: 'Ada\tÜ 😀',
    company_id: company.id,
    lead_score: 999999.99,
    notes: 'line one\nline "two"\u2028three',
  })
  const stages = await ok(account.client.from('pipeline_stages').select().order('order'))
  const won = stages.at(-1)
  const deal = await add(account, 'deals', {
    value: 999999999999.99,
    currency: 'EUR',
    custom: { [size.id]: 12.5 },
    order: 0.1 + 0.2,
    stage_id: won?.id,
    company_id: company.id,
    contact_id: contact.id,
  })
  const task = await add(account, 'tasks', {
    deal_id: deal.id,
    due_date: '2026-11-15T10:00:00Z',
    repeat: 'weekly',
    repeat_days: [1, 5],
  })
  await ok(account.client.from('tasks').update({ completed: true }).eq('id', task.id).select())
  await add(account, 'notes', { contact_id: contact.id })
  await add(account, 'deal_contacts', { deal_id: deal.id, role: 'Pays' })
  await add(account, 'collection_members', { contact_id: contact.id })
  const [one, other] = [
    contact.id,
    (await add(account, 'contacts', { first_name: 'Twin' })).id,
  ].sort()
  await add(account, 'not_duplicates', { one_contact_id: one, other_contact_id: other })
  await add(account, 'saved_views')
  await add(account, 'email_templates')
  const form = await add(account, 'forms', {
    fields: ['email', `custom.${level.id}`].map((name) => ({
      name,
      label: 'Asked',
      is_required: false,
    })),
  })
  await add(account, 'form_submissions', { form_id: form.id })
  await add(account, 'files', { contact_id: contact.id })
  await ok(account.client.rpc('create_pipeline', { name: 'Partners' }).select())
  await ok(
    account.client
      .from('contacts')
      .update({ lead_status: 'Qualified' })
      .eq('id', contact.id)
      .select(),
  )
  const gone = await add(account, 'contacts', { first_name: 'Gone', company_id: company.id })
  await ok(account.client.from('contacts').delete().eq('id', gone.id).select())
  await ok(
    account.client
      .from('preferences')
      .update({ display_name: 'Ada L.', theme: 'dark', time_zone: 'Asia/Tokyo' })
      .eq('user_id', account.id)
      .select(),
  )
  return { contact, gone }
}

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let parts: Part[]
  let sample: { contact: Row; gone: Row }
  beforeAll(async () => {
    owner = await database().signUp()
    sample = await busy(owner)
    parts = await backUp(owner)
  })

  const trashOf = async (account: Account) => {
    const answer: unknown = await ok(account.client.rpc('trash_page'))
    return (answer as { rows: { id: string; name: string; batch: string }[] }).rows
  }

  test('every table is in the backup, or named here with the reason why not', async () => {
    const tables = await database().query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
    )
    const leftOut = [
      'calendar_feeds', // a secret, which a copy would give away
      'card_feeds', // as the calendar's
    ]
    const kinds = parts.map(({ kind }) => kind).filter((kind) => kind !== 'deeds')
    expect(tables.map(({ name }) => name)).toEqual([...kinds, ...leftOut].sort())
  })

  test('everyone reads their own, and nobody without a session', async () => {
    const stranger = await database().signUp()
    const own = await backUp(stranger)
    const filled = own.filter(({ lines }) => lines.length > 0).map(({ kind }) => kind)
    expect(filled.sort()).toEqual(['pipeline_stages', 'pipelines', 'preferences'])
    const { anonymous } = database()
    expect(await anonymous.rpc('backup_counts')).toMatchObject({ status: 401 })
    expect(await anonymous.rpc('backup_page', { kind: 'contacts' })).toMatchObject({ status: 401 })
    const id = randomUUID()
    expect(await anonymous.rpc('start_restore', { id, version: 1, tables: {} })).toMatchObject({
      status: 401,
    })
    expect(await anonymous.rpc('finish_restore', { restore: id })).toMatchObject({ status: 401 })
  })

  if (isSmoke) return

  test('a page ends where it grows heavy, and no row is read twice', async () => {
    const account = await database().signUp()
    const rows = Array.from({ length: 60 }, (_, n) => ({
      first_name: `Heavy ${n}`,
      notes: 'x'.repeat(40_000),
    }))
    await ok(account.client.from('contacts').insert(rows).select('id'))
    const first: unknown = await ok(account.client.rpc('backup_page', { kind: 'contacts' }))
    expect((first as { count: number }).count).toBeLessThan(30)
    const whole = (await backUp(account)).find(({ kind }) => kind === 'contacts')
    expect(new Set(whole?.lines).size).toBe(60)
  })

  describe('a round trip', () => {
    test('into an empty account of another installation gives the same rows, to the letter', async () => {
      const away = await everything(database(), owner)
      // The source is gone, as on another installation: its ids are free.
      const other = await database().signUp()
      const fresh = await database().signUp()
      await restore(other, parts, { account: owner.id })
      const copy = await backUp(other)
      const before = await everything(database(), other)
      await database().query('delete from auth.users where id = ?', other.id)
      const answer = await restore(fresh, copy, { account: other.id })
      expect(answer.lost).toBe(0)
      expect(await everything(database(), fresh)).toEqual(before)
      const count = (all: Record<string, unknown[]>) =>
        Object.fromEntries(Object.entries(all).map(([name, rows]) => [name, rows.length]))
      expect(count(before)).toEqual(count(away))
      // The values of own fields came with their fields.
      const fields = await ok(fresh.client.from('fields').select('id, name'))
      const id = (name: string) => fields.find((field) => field.name === name)?.id ?? ''
      expect(await ok(fresh.client.from('contacts').select('custom').neq('custom', '{}'))).toEqual([
        { custom: { [id('Level')]: gold } },
      ])
      expect(await ok(fresh.client.from('deals').select('currency, custom'))).toContainEqual({
        currency: 'EUR',
        custom: { [id('Size')]: 12.5 },
      })
      // Preferences, history and trash came too.
      expect(await ok(fresh.client.from('preferences').select())).toMatchObject([
        { display_name: 'Ada L.', theme: 'dark', time_zone: 'Asia/Tokyo' },
      ])
      expect((await trashOf(fresh)).map(({ name }) => name)).toContain('Gone')
    })

    test('into another account of the same installation gives the same contents, and leaves the first as it was', async () => {
      const before = await everything(database(), owner)
      const other = await database().signUp()
      const answer = await restore(other, parts, { account: owner.id })
      expect(answer.counts.contacts).toEqual({ added: 3, there: 0 })
      expect(await contents(database(), other)).toEqual(await contents(database(), owner))
      expect(await everything(database(), owner)).toEqual(before)
      const mine = await ok(other.client.from('contacts').select('id'))
      expect(mine.map(({ id }) => id)).not.toContain(sample.contact.id)

      // What is in the trash of one and the other comes back in each.
      const gone = (await trashOf(other)).find(({ name }) => name === 'Gone')
      await ok(
        other.client.rpc('restore_deleted', { batch: gone?.batch ?? '', ids: [gone?.id ?? ''] }),
      )
      const back = await ok(
        other.client
          .from('contacts')
          .select('id, user_id, companies!contacts_company_id_fkey(name)')
          .eq('first_name', 'Gone'),
      )
      expect(back).toMatchObject([{ user_id: other.id, companies: { name: 'Acme “Ä” \\' } }])
      expect((await trashOf(owner)).map(({ id }) => id)).toEqual([sample.gone.id])
    })

    test('whole days stay whole days; a backup that knows of none has hours', async () => {
      const [from, to, old] = [
        await database().signUp(),
        await database().signUp(),
        await database().signUp(),
      ]
      const due = { due_date: '2026-11-16T23:59:59+00:00', due_all_day: true }
      await add(from, 'tasks', { title: 'On a day', ...due })
      const today = await backUp(from)
      const before = today.map(({ kind, lines }) => ({
        kind,
        lines: lines.map((line) => {
          const { due_all_day: _, ...row } = JSON.parse(line)
          return JSON.stringify(row)
        }),
      }))
      await restore(to, today, { account: from.id })
      await restore(old, before, { account: from.id })
      const tasksOf = ({ client }: Account) => ok(client.from('tasks').select())
      expect(await tasksOf(to)).toMatchObject([due])
      expect(await tasksOf(old)).toMatchObject([{ ...due, due_all_day: false }])
    })

    test('twice doubles nothing', async () => {
      const other = await database().signUp()
      await restore(other, parts, { account: owner.id })
      const once = await everything(database(), other)
      const log = await ok(other.client.from('changes').select('id'))
      const again = await restore(other, parts, { account: owner.id })
      expect(again).toMatchObject({ batch: null, history: 0 })
      expect(Object.values(again.counts).every(({ added }) => added === 0)).toBe(true)
      expect(await everything(database(), other)).toEqual(once)
      expect(await ok(other.client.from('changes').select('id'))).toEqual(log)
    })

    test('brings back into the same account what was deleted since, and changes nothing else', async () => {
      const account = await database().signUp()
      const { contact } = await busy(account)
      const taken = await backUp(account)
      const before = await everything(database(), account)
      await ok(account.client.from('contacts').delete().eq('id', contact.id).select())
      await ok(
        account.client.from('companies').update({ name: 'Renamed' }).neq('name', '').select(),
      )
      const answer = await restore(account, taken, { account: account.id })
      expect(answer.counts).toMatchObject({
        contacts: { added: 1 },
        notes: { added: 1 },
        collection_members: { added: 1 },
        companies: { added: 0 },
      })
      const after = await everything(database(), account)
      expect(after.contacts).toEqual(before.contacts)
      expect(after.notes).toEqual(before.notes)
      expect(after.collection_members).toEqual(before.collection_members)
      expect(await ok(account.client.from('companies').select('name'))).toEqual([
        { name: 'Renamed' },
      ])
    })

    test('is one batch, told in the history, and undone as one', async () => {
      const other = await database().signUp()
      const before = await everything(database(), other)
      const { batch } = await restore(other, parts, { account: owner.id, about: 'mine.zip' })
      const page: unknown = await ok(other.client.rpc('history_page', { page_size: 1 }))
      expect(page).toMatchObject({ rows: [{ action: 'backup', about: 'mine.zip', batch }] })
      expect(await ok(other.client.rpc('undo_batch', { batch: batch ?? '' }))).toMatchObject({
        conflicts: [],
      })
      expect(await everything(database(), other)).toEqual(before)
    })
  })

  describe('beside what is there', () => {
    test('collections of one name become one; views and templates stand beside each other', async () => {
      const account = await database().signUp()
      const [view] = await ok(owner.client.from('saved_views').select())
      const [template] = await ok(owner.client.from('email_templates').select())
      const [collection] = await ok(owner.client.from('collections').select())
      await add(account, 'saved_views', { name: view?.name, screen: view?.screen, query: 'mine' })
      await add(account, 'email_templates', { name: template?.name, body: 'mine' })
      await add(account, 'collection_members', {
        collection_id: (await add(account, 'collections', { name: collection?.name })).id,
      })
      await restore(account, parts, { account: owner.id })
      expect(await ok(account.client.from('collections').select())).toHaveLength(1)
      expect(await ok(account.client.from('collection_members').select())).toHaveLength(2)
      const views = await ok(
        account.client.from('saved_views').select('name, query').order('query'),
      )
      expect(views).toMatchObject([
        { name: view?.name, query: 'mine' },
        { name: expect.stringContaining(`${view?.name} (restored `), query: view?.query },
      ])
      expect(await ok(account.client.from('email_templates').select())).toHaveLength(2)
    })

    test('a pipeline that someone has used stays, and preferences stay', async () => {
      const account = await database().signUp()
      await add(account, 'deals', { name: 'Mine' })
      await restore(account, parts, { account: owner.id })
      const pipelines = await ok(account.client.from('pipelines').select('name').order('name'))
      expect(pipelines.map(({ name }) => name)).toEqual([
        'Partners',
        'Sales Pipeline',
        'Sales Pipeline',
      ])
      expect(await ok(account.client.from('preferences').select('theme'))).toEqual([
        { theme: 'system' },
      ])
    })
  })

  describe('a lost connection', () => {
    test('asked again, it is begun, sent and finished once', async () => {
      const account = await database().signUp()
      const id = randomUUID()
      const answer = await restore(account, parts, { account: owner.id, id })
      const counts = await ok(account.client.rpc('contact_count'))
      expect(await ok(account.client.rpc('finish_restore', { restore: id }))).toEqual(answer)
      // From the start, as who has lost the answer asks.
      expect(await restore(account, parts, { account: owner.id, id })).toEqual(answer)
      expect(await ok(account.client.rpc('contact_count'))).toBe(counts)
    })

    test('a part sent twice is there once, and one that is missing is told', async () => {
      const account = await database().signUp()
      const id = randomUUID()
      const lines = parts.find(({ kind }) => kind === 'companies')?.lines.join('\n') ?? ''
      const tables = { companies: 1, contacts: 2 }
      await account.client.rpc('start_restore', { id, version: 1, tables })
      const part = { restore: id, kind: 'companies', part: 0, lines }
      expect((await account.client.rpc('add_restore_rows', part)).error).toBeNull()
      expect((await account.client.rpc('add_restore_rows', part)).error).toBeNull()
      expect(await account.client.rpc('finish_restore', { restore: id })).toMatchObject({
        status: 409,
        error: { message: 'The backup did not arrive whole. Nothing was changed; try again.' },
      })
      expect(await ok(account.client.from('companies').select())).toEqual([])
    })

    test('one that was given up is erased after a day', async () => {
      const account = await database().signUp()
      const id = randomUUID()
      await account.client.rpc('start_restore', { id, version: 1, tables: { companies: 1 } })
      const lines = parts.find(({ kind }) => kind === 'companies')?.lines.join('\n') ?? ''
      await account.client.rpc('add_restore_rows', {
        restore: id,
        kind: 'companies',
        part: 0,
        lines,
      })
      const staged = () =>
        database().query('select from private.restore_rows where restore_id = ?', id)
      await add(account, 'companies')
      expect(await staged()).toHaveLength(1)
      await database().query(
        "update private.restores set created_at = now() - interval '25 hours' where id = ?",
        id,
      )
      // Whoever else writes leaves it to its owner.
      await add(await database().signUp(), 'companies')
      expect(await staged()).toHaveLength(1)
      await add(account, 'companies')
      expect(await staged()).toHaveLength(0)
    })

    test('nobody else adds to it, finishes it or learns of it', async () => {
      const [account, stranger] = [await database().signUp(), await database().signUp()]
      const id = randomUUID()
      await account.client.rpc('start_restore', { id, version: 1, tables: { companies: 1 } })
      const row = { restore: id, kind: 'companies', part: 0, lines: '{}' }
      expect(await stranger.client.rpc('add_restore_rows', row)).toMatchObject({ status: 404 })
      expect(await stranger.client.rpc('finish_restore', { restore: id })).toMatchObject({
        status: 404,
      })
    })
  })

  describe('a file that is not as it should be', () => {
    const line = (kind: string, index = 0): Record<string, unknown> =>
      JSON.parse(parts.find((part) => part.kind === kind)?.lines[index] ?? '{}')

    async function refused(changed: Part[]) {
      const account = await database().signUp()
      const before = await everything(database(), account)
      const answer = await send(account, changed)
      expect(await everything(database(), account)).toEqual(before)
      expect(await ok(account.client.from('changes').select('id'))).toEqual([])
      return answer
    }

    const one = (kind: string, values: object): Part[] => [
      { kind, lines: [JSON.stringify({ ...line(kind), ...values })] },
    ]

    test.each<[string, () => Part[], RegExp]>([
      ['no JSON', () => [{ kind: 'contacts', lines: ['{"id":'] }], /a line of its contacts cannot/],
      ['no object', () => [{ kind: 'contacts', lines: ['[1]'] }], /a line of its contacts cannot/],
      ['no id', () => one('contacts', { id: 7 }), /a line of its contacts cannot be read/],
      [
        'a value too long',
        () => one('companies', { name: 'x'.repeat(201) }),
        /one of its companies/,
      ],
      [
        'a status that is none',
        () => one('contacts', { lead_status: 'Best' }),
        /one of its contacts/,
      ],
      ['a number that is none', () => one('deals', { value: 'much' }), /one of its deals/],
      ['no moment', () => one('tasks', { created_at: null }), /one of its tasks has a value/],
      [
        'a moment without end',
        () => one('tasks', { created_at: 'infinity' }),
        /of its tasks cannot/,
      ],
      [
        'a link that is none',
        () => one('contacts', { company_id: 'acme' }),
        /value that is not allowed/,
      ],
      ['a verb that is none', () => one('changes', { verb: 'burn' }), /value that is not allowed/],
      [
        'one id twice',
        () => [{ kind: 'companies', lines: [0, 0].map(() => JSON.stringify(line('companies'))) }],
        /one of its companies has a value/,
      ],
    ])('%s: said in words, nothing done', async (_case, changed, message) => {
      const answer = await refused(changed())
      expect(answer).toMatchObject({
        status: 400,
        error: { message: expect.stringMatching(/^This backup cannot be restored: .* changed\.$/) },
      })
      expect(answer.error?.message).toMatch(message)
    })

    test('a newer version, an unknown part, too many rows', async () => {
      const start = (values: { version: number; tables: Record<string, number> }) =>
        owner.client.rpc('start_restore', { id: randomUUID(), ...values })
      expect((await start({ version: 4, tables: {} })).error?.message).toContain('newer version')
      expect((await start({ version: 1, tables: { users: 1 } })).error?.message).toContain('parts')
      expect(
        (await start({ version: 1, tables: { contacts: 4_000_000 } })).error?.message,
      ).toContain('3,000,000 rows')
    })

    test('nothing of it reaches another account', async () => {
      const victim = await database().signUp()
      await busy(victim)
      const theirs = await everything(database(), victim)
      const [stage] = await ok(victim.client.from('pipeline_stages').select())
      const [contact] = await ok(victim.client.from('contacts').select())
      const attacker = await database().signUp()
      const forged: Part[] = [
        {
          kind: 'deals',
          lines: [
            JSON.stringify({
              ...line('deals'),
              id: randomUUID(),
              user_id: victim.id,
              pipeline_id: null,
              stage_id: stage?.id,
              contact_id: contact?.id,
            }),
          ],
        },
        // Their own row, under its own id, as if it were ours.
        { kind: 'contacts', lines: [JSON.stringify({ ...contact, first_name: 'Stolen' })] },
        {
          kind: 'notes',
          lines: [JSON.stringify({ ...line('notes'), contact_id: contact?.id, id: randomUUID() })],
        },
        {
          kind: 'changes',
          lines: [
            JSON.stringify({
              ...line('changes'),
              user_id: victim.id,
              batch: randomUUID(),
              verb: 'update',
              table_name: 'contacts',
              row_id: contact?.id,
              before: { first_name: 'Stolen' },
              after: { first_name: 'x' },
            }),
          ],
        },
        {
          kind: 'preferences',
          lines: [JSON.stringify({ user_id: victim.id, theme: 'light', display_name: 'Stolen' })],
        },
      ]
      await restore(attacker, forged)
      expect(await everything(database(), victim)).toEqual(theirs)
      expect(await ok(victim.client.from('preferences').select('theme'))).toEqual([
        { theme: 'dark' },
      ])
      expect(await ok(attacker.client.from('deals').select())).toMatchObject([
        { user_id: attacker.id, stage_id: null },
      ])
      const [stolen] = await ok(attacker.client.from('contacts').select())
      expect(stolen).toMatchObject({ user_id: attacker.id, company_id: null })
      expect(stolen?.id).not.toBe(contact?.id)
      for (const { batch } of await ok(attacker.client.from('changes').select('batch'))) {
        await attacker.client.rpc('undo_batch', { batch, conflicts: 'all' })
      }
      expect(await everything(database(), victim)).toEqual(theirs)
    })
  })
})
