import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Reported = {
  sender_name?: string
  message_id?: string
  refs?: string[]
  direction?: 'in' | 'out'
  sender?: string
  recipients?: { role: string; name: string; address: string }[]
  subject?: string
  sent_at?: string
  is_automatic?: boolean
  is_doubtful?: boolean
}
type Entry = { kind: string; mail?: { subject: string }; origin: { record: string } | null }

onAnyDatabase((database) => {
  let owner: Account
  let me: string
  let box: string
  beforeEach(async () => {
    owner = await database().signUp()
    me = `me-${randomUUID()}@own.example`
    box = (await add(owner, 'mail_accounts', { address: me })).id
  })

  const to = (...addresses: string[]) =>
    addresses.map((address) => ({ role: 'to', name: '', address }))

  /** As the server does with what it has read in the mailbox. */
  async function arrive(reported: Reported = {}): Promise<string | null> {
    const mail = {
      message_id: `<${randomUUID()}@mail.example>`,
      direction: 'in',
      sender: 'ada@example.com',
      recipients: to(me),
      subject: 'Offer',
      sent_at: '2026-11-10T10:00:00Z',
      ...reported,
    }
    const [row] = await database().query<{ id: string | null }>(
      'select private.store_mail(?::uuid, ?::jsonb) as id',
      box,
      JSON.stringify(mail),
    )
    return row?.id ?? null
  }

  const mailsOf = async () =>
    ok(owner.client.from('mails').select().eq('is_private', false).order('sent_at'))

  async function timeline(record: string, id: string, kind?: string): Promise<Entry[]> {
    const entries = await ok(
      owner.client.rpc('record_timeline', { record, id, ...(kind ? { kind } : {}) }),
    )
    return (entries as Entry[]).filter((entry) => entry.kind === 'mail')
  }

  const lastContacted = async (id: string) => {
    const [row] = await database().query<{ at: string | null }>(
      'select (select l.at from private.last_contact(c) l) as at from public.contacts c where id = ?',
      id,
    )
    return row?.at ?? null
  }

  describe('which mails are kept', () => {
    test('those of people who are known by any of their addresses, once', async () => {
      await add(owner, 'contacts', {
        email: 'ada@example.com',
        emails: [
          { label: '', value: 'ada@example.com' },
          { label: 'home', value: 'Ada@Home.example' },
        ],
      })
      await add(owner, 'companies', { emails: [{ label: '', value: 'info@acme.example' }] })
      expect(await arrive({ sender: 'Ada@example.com' })).not.toBeNull()
      expect(await arrive({ sender: 'ada@home.example' })).not.toBeNull()
      expect(await arrive({ sender: 'info@acme.example' })).not.toBeNull()
      expect(
        await arrive({
          direction: 'out',
          sender: me,
          recipients: [{ role: 'cc', name: '', address: 'ada@HOME.example' }],
        }),
      ).not.toBeNull()
      expect(await arrive({ sender: 'stranger@example.com' })).toBeNull()
      // A name says nothing, though it is that of somebody known, or their address.
      for (const sender_name of ['Ada', 'ada@example.com', '"Ada" <ada@example.com>']) {
        expect(await arrive({ sender: 'eve@evil.example', sender_name })).toBeNull()
      }
      const message_id = '<twice@mail.example>'
      expect(await arrive({ message_id })).not.toBeNull()
      expect(await arrive({ message_id, subject: 'Again' })).toBeNull()
      expect(await mailsOf()).toHaveLength(5)
    })

    test('not what claims to be from the user but was not sent, nor what only the user is on', async () => {
      await add(owner, 'contacts', { email: me })
      await add(owner, 'contacts')
      expect(await arrive({ sender: me, recipients: to('ada@example.com') })).toBeNull()
      expect(await arrive({ sender: 'eve@example.com' })).toBeNull()
    })

    test('what can be left out is an address or a domain, and anything else is refused in words', async () => {
      for (const value of ['acme', 'Acme Corp', 'a@b@c.example', ' ', 'acme..com']) {
        const { error } = await owner.client.from('mail_exclusions').insert({ value })
        expect(error?.message).toBe(
          'Enter an address or a domain, such as acme.com. Nothing was saved.',
        )
      }
      const { data } = await owner.client
        .from('mail_exclusions')
        .insert([{ value: ' @Acme.com ' }, { value: 'Ann@Acme.com' }])
        .select('value')
      expect(data).toEqual([{ value: 'acme.com' }, { value: 'ann@acme.com' }])
    })

    test('not of a left-out address, domain or private contact, unless it concerns somebody else', async () => {
      const ada = await add(owner, 'contacts')
      await add(owner, 'contacts', { email: 'bob@work.example' })
      await add(owner, 'contacts', { email: 'eve@sub.left.example' })
      const kept = await arrive({ recipients: to(me, 'bob@work.example'), subject: 'Both' })
      await arrive({ subject: 'Ada alone' })
      await arrive({ sender: 'eve@sub.left.example', subject: 'Eve' })
      await ok(owner.client.from('mail_exclusions').insert({ value: '@LEFT.example' }).select())
      expect((await mailsOf()).map(({ subject }) => subject).sort()).toEqual(['Ada alone', 'Both'])

      // Nor does the deal that it is about keep a mail of somebody private.
      const deal = await add(owner, 'deals')
      const alone = (await mailsOf()).find(({ subject }) => subject === 'Ada alone')
      const asked = { thread: alone?.thread ?? '', deal: deal.id }
      expect(await ok(owner.client.rpc('set_thread_deal', asked))).toBe(1)
      await ok(owner.client.from('mail_exclusions').insert({ contact: ada.id }).select())
      // Sent by somebody who is private: it is nobody's, whoever else got it.
      expect(await mailsOf()).toEqual([])
      expect(kept).not.toBeNull()
      expect(await arrive({ recipients: to('bob@work.example') })).toBeNull()
      const fromBob = { sender: 'bob@work.example', recipients: to(me, 'ada@example.com') }
      expect(await arrive(fromBob)).not.toBeNull()
      expect(await timeline('contact', ada.id)).toEqual([])
      // An address that they get later is private too.
      await ok(
        owner.client
          .from('contacts')
          .update({
            emails: [
              { label: '', value: 'ada@example.com' },
              { label: '', value: 'ada@new.example' },
            ],
          })
          .eq('id', ada.id)
          .select(),
      )
      expect(await arrive({ sender: 'ada@new.example' })).toBeNull()
    })

    test('of a private one nothing stays, and it is never read again', async () => {
      const ada = await add(owner, 'contacts')
      const id = (await arrive({ message_id: '<p@x>', subject: 'Secret' })) ?? ''
      expect(await ok(owner.client.rpc('make_mails_private', { ids: [id] }))).toBe(1)
      const [row] = await database().query<Record<string, unknown>>(
        'select to_jsonb(m) as row from public.mails m where id = ?',
        id,
      )
      expect(JSON.stringify(row)).not.toMatch(/Secret|ada@example/)
      expect(await timeline('contact', ada.id)).toEqual([])
      expect(await arrive({ message_id: '<p@x>', subject: 'Secret' })).toBeNull()
    })

    test('envelopes are sifted by the same rules', async () => {
      await add(owner, 'contacts')
      const envelopes = [
        { message_id: '<1@x>', sender: 'ada@example.com', addresses: ['ada@example.com', me] },
        { message_id: '<2@x>', sender: 'eve@example.com', addresses: ['eve@example.com', me] },
        { message_id: '<3@x>', sender: me, addresses: [me, 'ada@example.com'] },
        { message_id: '<4@x>', sender: 'x@y.example', addresses: ['ADA@example.com'] },
      ]
      const places = await database().query<{ place: number }>(
        `select place from private.sift_mails(?::uuid, 'in', ?::jsonb) order by 1`,
        owner.id,
        JSON.stringify(envelopes),
      )
      expect(places.map(({ place }) => place)).toEqual([1, 4])
    })
  })

  describe('whom they concern', () => {
    test('timelines of the contact, its company and the only open deal, filtered as emails', async () => {
      const company = await add(owner, 'companies')
      const ada = await add(owner, 'contacts', { company_id: company.id })
      const deal = await add(owner, 'deals', { contact_id: ada.id })
      await arrive()
      expect(await timeline('contact', ada.id, 'email')).toMatchObject([
        { mail: { subject: 'Offer' }, origin: null },
      ])
      expect(await timeline('company', company.id)).toMatchObject([
        { mail: { subject: 'Offer' }, origin: { record: 'contact' } },
      ])
      expect(await timeline('deal', deal.id)).toMatchObject([{ origin: null }])
      expect(await timeline('contact', ada.id, 'call')).toEqual([])
    })

    test('a contact that gets the address later, one that loses it, and one that comes back', async () => {
      const ada = await add(owner, 'contacts')
      await arrive()
      const bob = await add(owner, 'contacts', { email: 'bob@example.com' })
      const set = (id: string, email: string) =>
        ok(owner.client.from('contacts').update({ email }).eq('id', id).select())
      await set(ada.id, 'other@example.com')
      await set(bob.id, 'ada@example.com')
      expect(await timeline('contact', ada.id)).toEqual([])
      expect(await timeline('contact', bob.id)).toHaveLength(1)
      const wanted = await database().query(
        'select address from private.mail_wanted where user_id = ? order by 1',
        owner.id,
      )
      expect(wanted).toContainEqual({ address: 'other@example.com' })

      await ok(owner.client.from('contacts').delete().eq('id', bob.id).select())
      const erase = 'select private.erase_lost_mails(?::uuid)::int as gone'
      expect(await database().query(erase, owner.id)).toEqual([{ gone: 0 }])
      const changes = await ok(
        owner.client.from('changes').select('batch').eq('row_id', bob.id).eq('verb', 'delete'),
      )
      await ok(owner.client.rpc('undo_batch', { batch: changes[0]?.batch ?? '' }))
      expect(await timeline('contact', bob.id)).toHaveLength(1)

      await ok(owner.client.from('contacts').delete().eq('id', bob.id).select())
      await database().query(
        `update public.changes set before = null where user_id = ? and verb = 'delete'`,
        owner.id,
      )
      expect(await database().query(erase, owner.id)).toEqual([{ gone: 1 }])
    })

    test('conversations by references, also where the mails come in another order', async () => {
      const ada = await add(owner, 'contacts')
      const [first, second, third] = ['<1@t>', '<2@t>', '<3@t>']
      await arrive({ message_id: third, refs: [first, second], sent_at: '2026-11-12T10:00:00Z' })
      await arrive({ message_id: '<other@t>', subject: 'Other', sent_at: '2026-11-01T10:00:00Z' })
      await arrive({ message_id: first, subject: 'First' })
      await arrive({
        message_id: second,
        refs: [first],
        direction: 'out',
        sender: me,
        recipients: to('ada@example.com'),
        sent_at: '2026-11-11T10:00:00Z',
      })
      const threads = (await ok(
        owner.client.rpc('conversations', { record: 'contact', id: ada.id }),
      )) as { thread: string; mails: number; subject: string }[]
      expect(threads).toMatchObject([
        { mails: 3, subject: 'First', people: ['ada@example.com'] },
        { mails: 1, subject: 'Other', people: ['ada@example.com'] },
      ])
      const mails = (await ok(
        owner.client.rpc('conversation', { thread: threads[0]?.thread ?? '' }),
      )) as { message_id: string }[]
      expect(mails.map(({ message_id }) => message_id)).toEqual([first, second, third])
    })

    test('who takes part in a conversation, without the user, and who waits for an answer', async () => {
      const ada = await add(owner, 'contacts')
      const people = [
        { role: 'to', name: 'Me', address: me.toUpperCase() },
        { role: 'cc', name: 'Bob', address: 'bob@work.example' },
      ]
      const sent_at = new Date().toISOString()
      await arrive({ recipients: people, sent_at })
      await arrive({
        direction: 'out',
        sender: me,
        recipients: to('ada@example.com'),
        subject: 'Mine',
      })
      const page = () =>
        ok(owner.client.rpc('record_conversations', { record: 'contact', id: ada.id }))
      expect(await page()).toMatchObject({
        is_private: false,
        rows: [
          { subject: 'Offer', people: ['Bob', 'ada@example.com'], is_waiting: true },
          { subject: 'Mine', people: ['ada@example.com'], is_waiting: false },
        ],
      })
      const other = await database().signUp()
      expect(
        await ok(other.client.rpc('record_conversations', { record: 'contact', id: ada.id })),
      ).toEqual({ rows: [], is_private: false })
    })

    test('of a private contact none, until that is taken back: then they are looked for again', async () => {
      const ada = await add(owner, 'contacts')
      await arrive()
      const exclusions = owner.client.from('mail_exclusions')
      await ok(exclusions.insert({ contact: ada.id }).select())
      const told = () =>
        ok(owner.client.rpc('record_conversations', { record: 'contact', id: ada.id }))
      expect(await told()).toEqual({ rows: [], is_private: true })
      expect(await ok(owner.client.rpc('mail_left_out'))).toMatchObject([
        { contact: { id: ada.id } },
      ])
      const wanted = () =>
        database().query<{ address: string }>(
          'select address from private.mail_wanted where account_id = ?::uuid',
          box,
        )
      await database().query('delete from private.mail_wanted where account_id = ?::uuid', box)
      await ok(exclusions.delete().eq('contact', ada.id).select())
      expect(await told()).toEqual({ rows: [], is_private: false })
      expect(await wanted()).toEqual([{ address: 'ada@example.com' }])
      await ok(exclusions.insert({ value: 'example.com' }).select())
      await database().query('delete from private.mail_wanted where account_id = ?::uuid', box)
      await ok(exclusions.delete().eq('value', 'example.com').select())
      expect(await wanted()).toEqual([{ address: 'ada@example.com' }])
    })

    test('the deal that the user chose, for the whole conversation and what comes after', async () => {
      await add(owner, 'contacts')
      const deal = await add(owner, 'deals')
      await arrive({ message_id: '<1@d>' })
      const [mail] = await mailsOf()
      expect(
        await ok(
          owner.client.rpc('set_thread_deal', { thread: mail?.thread ?? '', deal: deal.id }),
        ),
      ).toBe(1)
      await arrive({ message_id: '<2@d>', refs: ['<1@d>'] })
      expect(await timeline('deal', deal.id)).toHaveLength(2)
      const foreign = await add(await database().signUp(), 'deals')
      expect(
        await owner.client.rpc('set_thread_deal', { thread: mail?.thread ?? '', deal: foreign.id }),
      ).toMatchObject({ status: 404 })
    })

    test('Last Contacted knows both directions, but no newsletter and no forged sender', async () => {
      const ada = await add(owner, 'contacts')
      await arrive({ is_automatic: true, sent_at: '2026-11-13T10:00:00Z' })
      await arrive({ is_doubtful: true, sent_at: '2026-11-14T10:00:00Z' })
      expect(await lastContacted(ada.id)).toBeNull()
      await arrive({ sent_at: '2026-11-10T10:00:00Z' })
      expect(await lastContacted(ada.id)).toContain('2026-11-10T10:00')
      const out = { direction: 'out' as const, sender: me, recipients: to('ada@example.com') }
      await arrive({ ...out, sent_at: '2026-11-11T10:00:00Z' })
      expect(await lastContacted(ada.id)).toContain('2026-11-11T10:00')
    })

    test('a reply waits until it is answered, or they are called', async () => {
      const ada = await add(owner, 'contacts')
      const now = Date.now()
      const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
      const waiting = async () =>
        ((await ok(owner.client.rpc('replies_waiting'))) as { subject: string }[]).map(
          ({ subject }) => subject,
        )
      // The only open deal of the only contact: its mails are about it.
      await add(owner, 'deals', { name: 'Renewal', contact_id: ada.id })
      const page = async (attention?: string[]) =>
        (
          (await ok(owner.client.rpc('deal_page', attention ? { filter: { attention } } : {}))) as {
            rows: { reply_waits: boolean }[]
          }
        ).rows.map(({ reply_waits }) => reply_waits)
      const dashboard = async () =>
        ((await ok(owner.client.rpc('dashboard'))) as { attention: { total: number } }).attention
          .total
      expect(await page(['no_next_step'])).toEqual([false])
      expect(await dashboard()).toBe(1)
      await arrive({ message_id: '<q@w>', subject: 'Question', sent_at: at(5) })
      // To answer is its next step.
      expect(await page()).toEqual([true])
      expect(await page(['no_next_step'])).toEqual([])
      expect(await dashboard()).toBe(0)
      await arrive({ subject: 'Newsletter', is_automatic: true, sent_at: at(5) })
      expect(await waiting()).toEqual(['Question'])
      const answer = { direction: 'out' as const, sender: me, recipients: to('ada@example.com') }
      // An absence note in the same conversation answers nobody, nor does one that is forged.
      await arrive({ refs: ['<q@w>'], is_automatic: true, sent_at: at(4.8) })
      await arrive({ refs: ['<q@w>'], is_doubtful: true, sent_at: at(4.7) })
      expect(await waiting()).toEqual(['Question'])
      await arrive({ ...answer, refs: ['<q@w>'], sent_at: at(4) })
      expect(await waiting()).toEqual([])
      expect(await page(['no_next_step'])).toEqual([false])
      await arrive({ subject: 'More', sent_at: at(3) })
      expect(await waiting()).toEqual(['More'])
      await add(owner, 'notes', { kind: 'call', contact_id: ada.id, happened_at: at(2) })
      expect(await waiting()).toEqual([])
    })
  })

  describe('the account for mail', () => {
    test('is read by one process at a time, as a job; not while it is paused', async () => {
      const jobs = () =>
        database().query<{ key: string }>(
          `select key from private.jobs where kind = 'mailbox' and user_id = ?`,
          owner.id,
        )
      const pause = (is_paused: boolean) =>
        ok(owner.client.from('mail_accounts').update({ is_paused }).eq('id', box).select())
      expect(await jobs()).toEqual([{ key: box }])
      await pause(true)
      expect(await jobs()).toEqual([])
      await pause(false)
      expect(await jobs()).toEqual([{ key: box }])
      await ok(owner.client.from('mail_accounts').delete().eq('id', box).select())
      expect(await jobs()).toEqual([])
    })

    test('that leads to another mailbox is read from the beginning; with another port it is not', async () => {
      const seen = { INBOX: { validity: 1, last: 500 } }
      const folders = async () =>
        (
          await database().query<{ folders: unknown }>(
            'select folders from private.mailboxes where account_id = ?',
            box,
          )
        )[0]?.folders
      const change = (changes: object) =>
        ok(owner.client.from('mail_accounts').update(changes).eq('id', box).select())
      for (const elsewhere of [
        { address: `other-${box}@own.example` },
        { login: 'other' },
        { imap_host: 'other.example' },
      ]) {
        await database().query(
          'update private.mailboxes set folders = ?::jsonb where account_id = ?',
          JSON.stringify(seen),
          box,
        )
        await change({ imap_port: 994, name: 'Me' })
        await change({ imap_port: 993, name: null })
        expect(await folders()).toEqual(seen)
        await change(elsewhere)
        expect(await folders()).toEqual({})
      }
    })

    test('its password is for no role of the API, its state not for its owner to write', async () => {
      const open = await database().query(`
        select r.role, t.name from unnest(array['anon', 'authenticated', 'service_role']) r (role),
          unnest(array['private.mail_secrets', 'private.mailboxes', 'private.mail_wanted']) t (name)
        where has_table_privilege(r.role, t.name, 'SELECT, INSERT, UPDATE, DELETE')`)
      expect(open).toEqual([])
      const change = owner.client.from('mail_accounts').update({ state: 'working' } as never)
      expect(await change.eq('id', box)).toMatchObject({ status: 403 })
    })

    test('goes with its mails or without, as chosen', async () => {
      await add(owner, 'contacts')
      await arrive({ subject: 'Stays' })
      await ok(owner.client.rpc('remove_mail_account', { id: box, with_mails: false }))
      expect(await mailsOf()).toMatchObject([{ subject: 'Stays', account_id: null }])
      box = (await add(owner, 'mail_accounts', { address: me })).id
      await arrive({ subject: 'Goes' })
      expect(await ok(owner.client.rpc('remove_mail_account', { id: box, with_mails: true }))).toBe(
        1,
      )
      expect(await mailsOf()).toMatchObject([{ subject: 'Stays' }])
      const again = owner.client.rpc('remove_mail_account', { id: box, with_mails: true })
      expect(await again).toMatchObject({ status: 404 })
    })
  })

  test('whoever was written to twice is offered as a contact, unless known or declined', async () => {
    await add(owner, 'contacts')
    const seen = (address: string, message_id: string) => ({
      address,
      name: 'Eve',
      message_id,
      sent_at: '2026-11-10T10:00:00Z',
    })
    const note = (...mails: object[]) =>
      database().query(
        'select private.note_strangers(?::uuid, ?::jsonb)',
        owner.id,
        JSON.stringify(mails),
      )
    const offered = async () =>
      ((await ok(owner.client.rpc('mail_suggestions'))) as { address: string }[]).map(
        ({ address }) => address,
      )
    await note(seen('Eve@x.example', '<1>'), seen('ada@example.com', '<1>'))
    await note(seen('eve@x.example', '<1>'), seen('ada@example.com', '<2>'))
    expect(await offered()).toEqual([])
    await note(seen('eve@x.example', '<2>'), seen('no-reply@x.example', '<1>'))
    await note(seen('no-reply@x.example', '<2>'))
    expect(await offered()).toEqual(['eve@x.example'])
    await owner.client.rpc('decline_suggestion', { address: 'eve@x.example' })
    expect(await offered()).toEqual([])
  })

  test('a mail to companies or deals goes to their contacts, each once', async () => {
    const acme = await add(owner, 'companies')
    const other = await add(owner, 'companies')
    const ada = await add(owner, 'contacts', { company_id: acme.id })
    const bob = await add(owner, 'contacts', { company_id: acme.id, email: 'bob@example.com' })
    await add(owner, 'contacts', { company_id: other.id, email: 'eve@example.com' })
    const deal = await add(owner, 'deals', { contact_id: ada.id })
    const second = await add(owner, 'deals', { contact_id: ada.id })
    await add(owner, 'deal_contacts', { deal_id: second.id, contact_id: bob.id })
    const behind = async (record: string, filter: object, client = owner.client) =>
      (
        (await ok(client.rpc('contacts_behind', { record, filter: filter as Json }))) as string[]
      ).sort()
    const both = [ada.id, bob.id].sort()
    expect(await behind('companies', { ids: [acme.id] })).toEqual(both)
    expect(await behind('companies', { except: [other.id] })).toEqual(both)
    expect(await behind('deals', { ids: [deal.id] })).toEqual([ada.id])
    expect(await behind('deals', { ids: [deal.id, second.id] })).toEqual(both)
    const stranger = await database().signUp()
    expect(await behind('companies', { ids: [acme.id] }, stranger.client)).toEqual([])
    const { error } = await owner.client.rpc('contacts_behind', { record: 'tasks', filter: {} })
    expect(error?.message).toBe('There are no contacts of tasks.')
  })

  test('a mail is found by its subject, on the person, the company or the deal that it concerns', async () => {
    const ada = await add(owner, 'contacts', { last_name: 'Lovelace' })
    await arrive({ subject: 'Angebot für Zürich' })
    const search = (words: string) => ok(owner.client.rpc('search_everything', { words }))
    expect(await search('zurich')).toMatchObject([
      {
        ...{ kind: 'mails', title: 'Angebot für Zürich', about: 'Ada Lovelace' },
        ...{ of: { record: 'contact', id: ada.id }, thread: expect.any(String) },
      },
    ])
    const acme = await add(owner, 'companies', { name: 'Acme', emails: [{ value: 'x@acme.com' }] })
    await arrive({ subject: 'Rechnung', sender: 'x@acme.com' })
    const deal = await add(owner, 'deals', { name: 'Roof' })
    await add(owner, 'mails', {
      ...{ message_id: '<deal@x>', subject: 'Fundament', sender: 'nobody@else.example' },
      deal: deal.id,
    })
    expect(await search('rechnung')).toMatchObject([
      { kind: 'mails', about: 'Acme', of: { record: 'company', id: acme.id } },
    ])
    expect(await search('fundament')).toMatchObject([
      { kind: 'mails', about: 'Roof', of: { record: 'deal', id: deal.id } },
    ])
  })
})
