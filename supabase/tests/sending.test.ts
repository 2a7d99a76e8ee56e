import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { mailsPlanned, type OutboxMail, outbox, type PlannedMail } from '#domain/outgoing-mail.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { type MailAccount, mailAccount } from '#server/mailbox/account.ts'
import { closeMailbox, type MailRule, openMailbox } from '#server/mailbox/connect.ts'
import { openMailDesk } from '#server/mailbox/mail-desk.ts'
import { keyFrom } from '#server/mailbox/mail-key.ts'
import { keepSecret, mailStore, storedAccount } from '#server/mailbox/mail-store.ts'
import { outboxJob } from '#server/mailbox/outbox-job.ts'
import { outboxStore } from '#server/mailbox/outbox-store.ts'
import { readMailbox } from '#server/mailbox/read-mailbox.ts'
import { isLong } from '#server/test-length.ts'
import { startSmtp, type TestSmtp } from '#server/test-smtp.ts'
import { cuttingProxy } from './cutting-proxy.ts'
import { type Dovecot, startDovecot } from './dovecot.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let smtp: TestSmtp
  let dovecot: Dovecot | null = null
  let rule: MailRule
  let owner: Account
  let box: MailAccount
  const key = keyFrom(Buffer.from('a key of the tests, which nobody else has'))

  beforeAll(async () => {
    smtp = await startSmtp()
    dovecot = await startDovecot()
    const trusted = `${smtp.certificate}\n${dovecot?.certificate ?? ''}`
    rule = { allowPrivate: true, trusted }
  })
  afterAll(async () => {
    await smtp.stop()
    await dovecot?.stop()
  })
  beforeEach(async () => {
    smtp.behave()
    smtp.mails.length = 0
    smtp.counts.logins = 0
    smtp.counts.begun = 0
    owner = await database().signUp()
    const user = `u${randomUUID().slice(0, 8)}`
    const row = await add(owner, 'mail_accounts', {
      address: `${user}@own.example`,
      name: 'Me',
      login: user,
      imap_host: 'localhost',
      imap_port: dovecot?.port ?? 1,
      smtp_host: 'localhost',
      smtp_port: smtp.port,
    })
    box = mailAccount.parse(row)
    await keepSecret(database().connection.kysely, box, key.seal(smtp.password, box))
  })

  function mail(changes: Partial<PlannedMail> = {}): PlannedMail {
    return {
      account: box.id,
      to: [{ address: 'ada@example.com', name: 'Ada' }],
      cc: [],
      bcc: [],
      subject: 'Offer',
      text: 'Dear Ada',
      html: null,
      files: [],
      answers: null,
      deal: null,
      follow_up_days: null,
      send_at: null,
      ...changes,
    }
  }

  /** Plans mails whose ten seconds are over. */
  async function plan(...mails: PlannedMail[]) {
    const planned = mailsPlanned.parse(await ok(owner.client.rpc('plan_mails', { mails })))
    await due()
    return planned
  }

  /** Lets all that waits be due now, whatever left before. */
  async function due() {
    await database().query(
      "update private.outgoing_mails set tried_at = tried_at - interval '2 hours' where user_id = ?",
      owner.id,
    )
    await database().query(
      `update private.outgoing_mails set held_until = '-infinity', send_at = send_at - interval '1 minute'
       where user_id = ? and state = 'planned'`,
      owner.id,
    )
    await copyDue()
  }
  const copyDue = () =>
    database().query(
      "update private.outgoing_mails set held_until = '-infinity' where user_id = ? and needs_copy",
      owner.id,
    )

  const job = (parts: Partial<Parameters<typeof outboxJob>[0]> = {}) =>
    outboxJob({ connection: database().connection, key, rule, ...parts })
  const work = (sender = job(), signal = new AbortController().signal) =>
    sender.work({ kind: 'outbox', key: box.id, account: owner.id, payload: {}, tries: 1 }, signal)

  async function shown(): Promise<OutboxMail[]> {
    return outbox.parse(await ok(owner.client.rpc('outbox'))).mails
  }
  const set = (id: string | undefined, change: string) =>
    database().query(`update private.outgoing_mails set ${change} where id = ?`, id)
  const stateOf = async (id: string | undefined) =>
    (
      await database().query<{ state: string; problem: string | null; handed: boolean }>(
        'select state, problem, handed_at is not null as handed from private.outgoing_mails where id = ?',
        id,
      )
    )[0]
  /** The half minute is over in which a mail is looked for that may have left. */
  const lookedLongEnough = (id: string | undefined) =>
    set(id, "handed_at = handed_at - interval '1 minute', held_until = '-infinity'")
  const mailsOf = () => ok(owner.client.from('mails').select().order('sent_at'))

  describe('a mail leaves', () => {
    test('as text, page and files, in its conversation; hidden recipients get it and nobody sees them', async () => {
      const ada = await add(owner, 'contacts')
      const file = await add(owner, 'files', { contact_id: ada.id, name: 'Größe.png' })
      const asked = await add(owner, 'mails', {
        message_id: '<asked@example.com>',
        refs: ['<first@example.com>'],
        recipients: [{ role: 'to', name: '', address: box.address }],
      })
      const { ids } = await plan(
        mail({
          cc: [{ address: 'bob@exämple.com', name: 'Bob, "the builder"' }],
          bcc: [{ address: 'eve@example.com' }],
          subject: 'Über die Größe',
          text: 'Grüße\n.\nEnd',
          html: '<p>Grüße <b>alle</b></p>',
          files: [file.id],
          answers: asked.id,
        }),
      )
      await work()
      expect(smtp.mails).toHaveLength(1)
      const [sent] = smtp.mails
      expect(sent?.from).toBe(box.address)
      expect(sent?.to).toEqual(['ada@example.com', 'bob@exämple.com', 'eve@example.com'])
      expect(sent?.raw).toContain('bob@xn--exmple-cua.com')
      expect(sent?.raw).not.toMatch(/eve@|bcc:/i)
      const read = await PostalMime.parse(Buffer.from(sent?.raw ?? '', 'latin1'))
      expect(read).toMatchObject({
        from: { name: 'Me', address: box.address },
        to: [{ name: 'Ada', address: 'ada@example.com' }],
        cc: [{ name: 'Bob, "the builder"' }],
        subject: 'Über die Größe',
        inReplyTo: '<asked@example.com>',
        references: '<first@example.com> <asked@example.com>',
        html: expect.stringContaining('<b>alle</b>'),
        attachments: [{ filename: 'Größe.png', mimeType: 'image/png' }],
      })
      expect(read.text?.replaceAll('\r\n', '\n').trim()).toBe('Grüße\n.\nEnd')

      expect(await stateOf(ids[0])).toMatchObject({ state: 'sent', problem: null })
      expect(await shown()).toEqual([])
      const [, kept] = await mailsOf()
      expect(kept).toMatchObject({
        direction: 'out',
        message_id: read.messageId,
        thread: asked.thread,
        subject: 'Über die Größe',
        snippet: 'Grüße . End',
        body_html: '<p>Grüße <b>alle</b></p>',
        attachments: [{ part: '2', name: 'Größe.png' }],
      })
      expect(kept?.recipients).toHaveLength(3)
      const story = await ok(
        owner.client.rpc('record_timeline', { record: 'contact', id: ada.id, kind: 'email' }),
      )
      expect(story).toMatchObject([{ mail: { id: kept?.id } }, { mail: { id: asked.id } }])
    })

    test('with a copy in the sent folder, which is known when the mailbox is read', async (context) => {
      if (!dovecot) return context.skip()
      const ada = await add(owner, 'contacts')
      const file = await add(owner, 'files', { contact_id: ada.id })
      await plan(mail({ files: [file.id] }))
      expect(await work()).toMatchObject({ againIn: expect.any(Number) })
      await copyDue()
      expect(await work()).toBeUndefined()
      const client = await openMailbox(box, dovecot.password, rule)
      try {
        await client.mailboxOpen('Sent', { readOnly: true })
        const copies = await client.fetchAll('1:*', { source: true, flags: true })
        expect(copies).toHaveLength(1)
        expect(String(copies[0]?.source)).toBe(smtp.mails[0]?.raw)
        expect(copies[0]?.flags?.has('\\Seen')).toBe(true)
        await database().query('update public.mails set folder = null where user_id = ?', owner.id)
        const stored = await storedAccount(database().connection.kysely, box.id)
        if (!stored) throw new Error('The account is gone.')
        const store = mailStore(database().connection.kysely, stored)
        await readMailbox(client, store, new AbortController().signal)
      } finally {
        await closeMailbox(client)
      }
      const kept = await mailsOf()
      expect(kept).toMatchObject([{ folder: 'Sent', uid: 1, direction: 'out' }])

      // The file is gone here; its bytes are still in the mailbox.
      await database().query('delete from public.files where user_id = ?', owner.id)
      await database().query('delete from private.file_contents where user_id = ?', owner.id)
      const desk = openMailDesk({ connection: database().connection, key, rule })
      const attached = await desk.attachment(owner.id, kept[0]?.id ?? '', '2')
      const bytes = Buffer.from(await new Response(attached?.content).arrayBuffer())
      await desk.close()
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    })

    test('on a deal to people who are left out: nothing of it is kept', async () => {
      const ada = await add(owner, 'contacts')
      const deal = await add(owner, 'deals', { name: 'Secret' })
      await add(owner, 'mail_exclusions', { value: 'left-out.example' })
      await ok(owner.client.from('mail_exclusions').insert({ contact: ada.id }).select())
      await plan(
        mail({ deal: deal.id }),
        mail({ deal: deal.id, to: [{ address: 'x@left-out.example' }] }),
        mail({ deal: deal.id, to: [{ address: 'new@example.org' }], subject: 'Kept' }),
      )
      for (let round = 0; round < 3; round += 1) {
        await work()
        await due()
      }
      expect(smtp.mails).toHaveLength(3)
      expect(await mailsOf()).toMatchObject([{ subject: 'Kept' }])
    })

    test('and nothing that was written past the functions breaks out of its line', async () => {
      const { ids } = await plan(mail(), mail(), mail())
      const evil = 'x\r\nBcc: eve@evil.example\r\n\r\nbody'
      await database().query(
        `update private.outgoing_mails set subject = ?, recipients = jsonb_set(recipients, '{0,name}', to_jsonb(?::text)),
           refs = array[?, '<ok@example.com>'], attachments = '[]' where id = ?`,
        evil,
        evil,
        `<a>\r\nBcc: eve@evil.example`,
        ids[0],
      )
      const addresses = [
        'a@x.example>\r\nRCPT TO:<eve@evil.example',
        'a@x.example, eve@evil.example',
      ]
      for (const [place, address] of addresses.entries()) {
        await database().query(
          `update private.outgoing_mails set recipients = jsonb_set(recipients, '{0,address}', to_jsonb(?::text)) where id = ?`,
          address,
          ids[place + 1],
        )
      }
      await database().query('update public.mail_accounts set name = ? where id = ?', evil, box.id)
      for (const _each of ids) {
        await due()
        await work()
      }
      expect(smtp.mails).toHaveLength(1)
      expect(smtp.mails[0]?.to).toEqual(['ada@example.com'])
      const [head = ''] = smtp.mails[0]?.raw.split('\r\n\r\n') ?? []
      expect(head).not.toMatch(/^bcc/im)
      expect(head.match(/^references:.*$/im)?.[0]).toBe('References: <ok@example.com>')
      expect(await stateOf(ids[1])).toMatchObject({
        state: 'failed',
        problem: expect.stringMatching(/addresses is not valid/),
      })
      expect(await stateOf(ids[2])).toMatchObject({ state: 'failed' })
    })
  })
  test('the queue sends what is due, one after the other, and waits for the rest', async () => {
    const { ids } = await plan(mail(), mail(), mail())
    await set(ids[2], "send_at = now() + interval '1 day', run = null")
    await database().query(
      'update private.outgoing_mails set run = null where user_id = ?',
      owner.id,
    )
    await database().query('update private.jobs set due_at = now() where key = ?', box.id)
    const jobs = startJobs(database().connection, { outbox: job() })
    try {
      await jobs.settle()
    } finally {
      await jobs.stop()
    }
    expect(smtp.mails).toHaveLength(2)
    // The copies come next.
    const [next] = await database().query<{ seconds: number }>(
      "select extract(epoch from due_at - now())::float8 as seconds from private.jobs where kind = 'outbox' and key = ?",
      box.id,
    )
    expect(next?.seconds).toBeLessThan(6)
  })

  describe('what the server refuses', () => {
    test('for good fails in words, and the others of the run leave', async () => {
      smtp.behave({
        rcpt: (address) =>
          address.startsWith('gone') ? { code: 550, words: '5.1.1 No such user' } : null,
      })
      const people = ['gone@x.example', 'a@x.example', 'b@x.example']
      const { ids } = await plan(...people.map((address) => mail({ to: [{ address }] })))
      for (const _each of people) {
        await work()
        await due()
      }
      expect(smtp.mails.map(({ to }) => to)).toEqual([['a@x.example'], ['b@x.example']])
      expect(await shown()).toMatchObject([
        {
          id: ids[0],
          state: 'failed',
          problem: 'The server localhost refused: “550 5.1.1 No such user”. It wasn’t sent.',
        },
      ])
    })

    test('of several people some: the others get it once, the rest fails or is tried again', async () => {
      smtp.behave({
        rcpt: (address) => {
          if (address.startsWith('gone')) return { code: 550, words: 'No such user' }
          return address.startsWith('grey') ? { code: 451, words: 'Greylisted' } : null
        },
      })
      await add(owner, 'contacts')
      const cc = [{ address: 'gone@x.example' }, { address: 'grey@x.example' }]
      await plan(mail({ cc }))
      await work()
      const left = await shown()
      expect(left.map(({ state, to }) => [state, to[0]?.address]).sort()).toEqual([
        ['failed', 'gone@x.example'],
        ['planned', 'grey@x.example'],
      ])
      expect((await mailsOf())[0]?.recipients).toMatchObject([{ address: 'ada@example.com' }])
      smtp.behave()
      await due()
      await work()
      expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@example.com'], ['grey@x.example']])
    })

    test('for now is tried again with growing pauses, and told; it alone', async () => {
      smtp.behave({
        data: (raw) => (raw.includes('Later') ? { code: 452, words: 'Too much just now' } : null),
      })
      const { ids } = await plan(mail({ subject: 'Later' }), mail({ subject: 'Now' }))
      const wait = async () =>
        (
          await database().query<{ seconds: number }>(
            'select extract(epoch from held_until - now())::float8 as seconds from private.outgoing_mails where id = ?',
            ids[0],
          )
        )[0]?.seconds ?? 0
      await work()
      expect(await wait()).toBeGreaterThan(20)
      expect((await shown()).map(({ problem }) => problem)).toEqual([
        null,
        expect.stringMatching(/asks to wait/),
      ])
      await due()
      await work()
      expect(await wait()).toBeGreaterThan(50)
      await set(ids[0], "held_until = now() + interval '1 hour'")
      await database().query(
        'update private.outgoing_mails set tried_at = null where id = ?',
        ids[0],
      )
      await work()
      expect(smtp.mails).toHaveLength(1)
      // After three days and twenty tries it is given up, and says so.
      await set(ids[0], "tries = 19, send_at = now() - interval '4 days'")
      await due()
      await work()
      expect(await stateOf(ids[0])).toMatchObject({
        state: 'failed',
        problem: expect.stringMatching(/tried for three days and wasn’t sent/),
      })
    })

    test('as many as the provider takes in a day: the rest waits, says so, and leaves the next day', async () => {
      const store = outboxStore(database().connection.kysely, box, { perHour: 100, perDay: 1 })
      const { ids } = await plan(mail(), mail())
      expect(await store.take()).toMatchObject({ id: ids[0] })
      await set(ids[0], "state = 'sent', tried_at = now() - interval '2 hours'")
      expect(await store.take()).toBeNull()
      expect(await store.wait()).toBeGreaterThan(21 * 3600)
      await store.tellDayIsFull('That many have left.')
      expect(await shown()).toMatchObject([{ problem: 'That many have left.' }])
      await set(ids[0], "tried_at = now() - interval '25 hours'")
      await store.tellDayIsFull('That many have left.')
      expect(await shown()).toMatchObject([{ problem: null }])
      expect(await store.take()).toMatchObject({ id: ids[1] })
    })

    test('a wrong password: one sign-in, and all that would leave now has failed', async () => {
      smtp.behave({ login: { code: 535, words: 'No' } })
      const later = new Date(Date.now() + 86_400_000).toISOString()
      const { ids } = await plan(mail(), mail(), mail({ send_at: later }))
      await work()
      await work()
      expect(smtp.counts.logins).toBe(1)
      const states = await Promise.all(ids.map(stateOf))
      expect(states.map((each) => each?.state)).toEqual(['failed', 'failed', 'planned'])
      expect(states[1]?.problem).toMatch(/refused the user name or the password/)
      smtp.behave({ login: { code: 454, words: 'Temporary failure' } })
      await ok(owner.client.rpc('retry_mails', { ids }))
      await due()
      await work()
      expect((await stateOf(ids[0]))?.state).toBe('planned')
    })
  })

  describe('a server that is away', () => {
    test('everything waits and says why; then it leaves once', async () => {
      const away = { ...box, smtp_port: 1 }
      await database().query('update public.mail_accounts set smtp_port = 1 where id = ?', box.id)
      await keepSecret(database().connection.kysely, away, key.seal(smtp.password, away))
      await plan(mail(), mail({ to: [{ address: 'bob@example.com' }] }))
      await work()
      for (const each of await shown()) {
        expect(each).toMatchObject({
          state: 'planned',
          problem: expect.stringMatching(/doesn’t answer on port 1.*Retrying automatically/),
        })
      }
      await database().query(
        'update public.mail_accounts set smtp_port = ? where id = ?',
        smtp.port,
        box.id,
      )
      await keepSecret(database().connection.kysely, box, key.seal(smtp.password, box))
      for (let round = 0; round < 3; round += 1) {
        await due()
        await work()
      }
      expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@example.com'], ['bob@example.com']])
    })

    test('with a wrong certificate it waits, and no password is sent', async () => {
      await plan(mail())
      await work(job({ rule: { allowPrivate: true } }))
      expect(smtp.counts.logins).toBe(0)
      expect(await shown()).toMatchObject([
        { state: 'planned', problem: expect.stringMatching(/certificate.*password wasn’t sent/) },
      ])
      await due()
      await work(job({ rule: { ...rule, allowPrivate: false } }))
      expect(await shown()).toMatchObject([{ problem: expect.stringMatching(/private network/) }])
      expect(smtp.mails).toEqual([])
    })
  })

  describe('nothing is sent twice', () => {
    test('lost in the middle of a mail it is tried again, and arrives once', async () => {
      smtp.behave({ drop: 'middle' })
      const { ids } = await plan(mail({ text: 'long '.repeat(100_000) }))
      await work()
      expect(smtp.counts.begun).toBe(1)
      expect(await stateOf(ids[0])).toMatchObject({ state: 'planned', handed: false })
      smtp.behave()
      await due()
      await work()
      expect(smtp.mails).toHaveLength(1)
    })

    test('lost when it had come whole: the user is told and decides', async () => {
      smtp.behave({ drop: 'end' })
      const { ids } = await plan(mail())
      await work()
      // A provider may need a moment to store what it has sent: it is looked for again, and not sent.
      expect(await stateOf(ids[0])).toMatchObject({ state: 'sending', handed: true })
      expect(await work()).toMatchObject({ againIn: expect.any(Number) })
      await lookedLongEnough(ids[0])
      await work()
      expect(await stateOf(ids[0])).toMatchObject({
        state: 'failed',
        problem: expect.stringMatching(/may have been sent/),
      })
      expect(await shown()).toMatchObject([{ may_have_left: true }])
      smtp.behave()
      await due()
      await work()
      expect(smtp.counts.begun).toBe(1)
      await ok(owner.client.rpc('retry_mails', { ids }))
      await due()
      await work()
      if (dovecot) expect(smtp.mails).toHaveLength(1)
      else expect((await stateOf(ids[0]))?.problem).toMatch(/could not be looked at/)
    })

    test('tried again it is looked for first: what has turned up meanwhile is not sent again', async (context) => {
      if (!dovecot) return context.skip()
      smtp.behave({ drop: 'end' })
      const { ids } = await plan(mail())
      await work()
      await lookedLongEnough(ids[0])
      await work()
      const [row] = await database().query<{ message_id: string }>(
        'select message_id from private.outgoing_mails where id = ?',
        ids[0],
      )
      await dovecot.deliver(box.login ?? '', 'Sent', [
        `From: ${box.address}\nTo: ada@example.com\nMessage-ID: ${row?.message_id}\n\nDear Ada`,
      ])
      smtp.behave()
      await ok(owner.client.rpc('retry_mails', { ids }))
      await due()
      await work()
      expect(await stateOf(ids[0])).toMatchObject({ state: 'sent' })
      expect(smtp.mails).toEqual([])
    })

    test('a run that leaves late is looked for by one sign-in, not by one for each of its mails', async (context) => {
      if (!dovecot) return context.skip()
      const proxy = await cuttingProxy(dovecot.port)
      onTestFinished(() => proxy.stop())
      const far = { ...box, imap_port: proxy.port }
      await database().query(
        'update public.mail_accounts set imap_port = ? where id = ?',
        proxy.port,
        box.id,
      )
      await keepSecret(database().connection.kysely, far, key.seal(smtp.password, far))
      await plan(mail(), mail(), mail())
      const sender = job()
      for (let round = 0; round < 3; round += 1) {
        await database().query(
          "update private.outgoing_mails set send_at = now() - interval '1 hour' where user_id = ? and state = 'planned'",
          owner.id,
        )
        await database().query(
          "update private.outgoing_mails set tried_at = tried_at - interval '2 hours', needs_copy = false where user_id = ?",
          owner.id,
        )
        await work(sender)
      }
      expect(smtp.mails).toHaveLength(3)
      expect(proxy.count()).toBe(1)
    })

    test('what lies in the sent folder has left, though no answer came', async (context) => {
      if (!dovecot) return context.skip()
      await add(owner, 'contacts')
      smtp.behave({ drop: 'end' })
      const { ids } = await plan(mail(), mail())
      await work()
      await lookedLongEnough(ids[0])
      await work()
      const messageId = async (id: string | undefined) =>
        (
          await database().query<{ message_id: string }>(
            'select message_id from private.outgoing_mails where id = ?',
            id,
          )
        )[0]?.message_id
      const stored = async (id: string | undefined) =>
        dovecot?.deliver(box.login ?? '', 'Sent', [
          `From: ${box.address}\nTo: ada@example.com\nSubject: Offer\nMessage-ID: ${await messageId(id)}\n\nDear Ada`,
        ])
      // The provider has stored it, and its mailbox is read.
      await stored(ids[0])
      const client = await openMailbox(box, dovecot.password, rule)
      const found = await storedAccount(database().connection.kysely, box.id)
      if (!found) throw new Error('The account is gone.')
      const store = mailStore(database().connection.kysely, found)
      await readMailbox(client, store, new AbortController().signal)
      await closeMailbox(client)
      expect(await stateOf(ids[0])).toMatchObject({ state: 'sent', problem: null })
      // A process died after the end was handed over.
      await stored(ids[1])
      await set(ids[1], "state = 'sending', handed_at = now(), tries = 1")
      await work()
      expect(await stateOf(ids[1])).toMatchObject({ state: 'sent' })
      expect(smtp.mails).toEqual([])
      expect(await mailsOf()).toHaveLength(2)
      // A copy of the installation was restored, in which it still waits; the other has really not left.
      await set(ids[1], "state = 'planned', run = null, send_at = now() - interval '1 day'")
      await plan(mail({ subject: 'Really late' }))
      await database().query(
        "update private.outgoing_mails set send_at = now() - interval '1 hour' where state = 'planned' and subject = 'Really late' and user_id = ?",
        owner.id,
      )
      smtp.behave()
      await work()
      await work()
      expect(await stateOf(ids[1])).toMatchObject({ state: 'sent' })
      expect(smtp.mails.map(({ raw }) => /Subject: (.*)\r/.exec(raw)?.[1])).toEqual(['Really late'])
    })

    test('a connection that is cut during the copy for the sent folder makes no second one', async (context) => {
      if (!dovecot) return context.skip()
      const proxy = await cuttingProxy(dovecot.port)
      onTestFinished(() => proxy.stop())
      const far = { ...box, imap_port: proxy.port }
      await database().query(
        'update public.mail_accounts set imap_port = ? where id = ?',
        proxy.port,
        box.id,
      )
      await keepSecret(database().connection.kysely, far, key.seal(smtp.password, far))
      const text = 'long '.repeat(40_000)
      for (const [place, cut] of [{ client: 100_000 }, { answerAfter: 180_000 }].entries()) {
        const { ids } = await plan(mail({ text, subject: `Mail ${place}` }))
        await work()
        proxy.cutAt(cut)
        await copyDue()
        await work()
        // Once in the middle of the mail, and once instead of the answer to its end.
        const [left] = await database().query<{ needs_copy: boolean }>(
          'select needs_copy from private.outgoing_mails where id = ?',
          ids[0],
        )
        expect(left?.needs_copy, JSON.stringify(cut)).toBe(true)
        proxy.cutAt()
        await copyDue()
        await work()
        expect(await stateOf(ids[0])).toMatchObject({ state: 'sent', problem: null })
      }
      const client = await openMailbox(box, dovecot.password, rule)
      try {
        await client.mailboxOpen('Sent', { readOnly: true })
        const copies = await client.fetchAll('1:*', { envelope: true, size: true })
        expect(copies.map(({ envelope }) => envelope?.subject)).toEqual(['Mail 0', 'Mail 1'])
        expect(Math.min(...copies.map(({ size }) => size ?? 0))).toBeGreaterThan(text.length)
      } finally {
        await closeMailbox(client)
      }
      expect(smtp.mails).toHaveLength(2)
    })

    test('cut at each answer of the server for sending, it leaves once or is asked about', async () => {
      const states = new Set<string | undefined>()
      // Each command is answered, and each answer may be the one that is lost. The sixth is that to the end of the mail.
      for (const answer of isLong ? [1, 2, 3, 4, 5, 6, 7, 8] : [6]) {
        const proxy = await cuttingProxy(smtp.port)
        const far = { ...box, smtp_port: proxy.port }
        await database().query(
          'update public.mail_accounts set smtp_port = ? where id = ?',
          proxy.port,
          box.id,
        )
        await keepSecret(database().connection.kysely, far, key.seal(smtp.password, far))
        const before = smtp.mails.length
        proxy.cutAt({ answerTo: answer })
        const { ids } = await plan(mail({ subject: `Cut at ${answer}` }))
        await work()
        await lookedLongEnough(ids[0])
        await work()
        const cut = await stateOf(ids[0])
        const taken = smtp.mails.length - before
        states.add(cut?.state)
        // Taken without its answer: the user decides. Not taken: it waits, or the user decides, too.
        if (taken === 1 && cut?.state !== 'sent') expect(cut?.state, String(answer)).toBe('failed')
        expect(taken, String(answer)).toBeLessThanOrEqual(1)
        proxy.cutAt()
        for (let round = 0; round < 2; round += 1) {
          await due()
          await work()
        }
        const end = await stateOf(ids[0])
        if (cut?.state === 'failed') {
          expect(end?.problem).toMatch(/may have been sent/)
          expect(smtp.mails.length - before).toBe(taken)
        } else {
          expect(end?.state, String(answer)).toBe('sent')
          expect(smtp.mails.length - before, String(answer)).toBe(1)
        }
        await set(ids[0], "state = 'sent'")
        proxy.stop()
      }
      expect([...states]).toEqual(isLong ? ['planned', 'failed', 'sent'] : ['failed'])
    }, 60_000)

    test('a mailbox without room for the copy: told in words, and the mail is not sent again', async (context) => {
      if (!dovecot) return context.skip()
      await dovecot.fill(box.login ?? '')
      const { ids } = await plan(mail())
      for (let round = 0; round < 6; round += 1) {
        await work()
        await due()
      }
      expect(smtp.mails).toHaveLength(1)
      expect(await stateOf(ids[0])).toMatchObject({
        state: 'sent',
        problem: expect.stringMatching(/It was sent, but no copy .* is full/),
      })
    })

    test('a process that died before the end was handed over: it leaves once', async () => {
      const { ids } = await plan(mail())
      await set(ids[0], "state = 'sending', tries = 1, tried_at = now() - interval '1 hour'")
      await work()
      expect(smtp.mails).toHaveLength(1)
      // The same after the end: nobody knows.
      const second = await plan(mail())
      await set(second.ids[0], "state = 'sending', tries = 1, handed_at = now()")
      await work()
      await lookedLongEnough(second.ids[0])
      await work()
      expect(smtp.mails).toHaveLength(1)
      expect((await stateOf(second.ids[0]))?.problem).toMatch(/may have been sent/)
    })

    test('a process that lost its mail to another, or stops, does not send the end', async () => {
      const { ids } = await plan(mail())
      const steal = {
        rcpt: () => {
          void set(ids[0], 'tries = tries + 1')
          return null
        },
      }
      smtp.behave(steal)
      await work()
      expect(smtp.mails).toEqual([])
      expect(await stateOf(ids[0])).toMatchObject({ state: 'sending', handed: false })
      await set(ids[0], "state = 'planned'")
      await due()
      const stopping = new AbortController()
      smtp.behave({
        rcpt: () => {
          stopping.abort()
          return null
        },
      })
      await expect(work(job(), stopping.signal)).rejects.toThrow()
      expect(smtp.mails).toEqual([])
      expect(await stateOf(ids[0])).toMatchObject({ state: 'planned', handed: false })
      smtp.behave()
      await work()
      expect(smtp.mails).toHaveLength(1)
    })
  })

  describe('an account', () => {
    test('whose key is lost keeps its mails; with the password they leave', async () => {
      const { ids } = await plan(mail())
      await work(job({ key: keyFrom(Buffer.from('another key')) }))
      expect(smtp.counts.logins).toBe(0)
      expect(await shown()).toMatchObject([
        { id: ids[0], state: 'planned', problem: expect.stringMatching(/password .* is missing/) },
      ])
      await database().query("delete from private.jobs where kind = 'outbox' and key = ?", box.id)
      await keepSecret(database().connection.kysely, box, key.seal(smtp.password, box))
      const jobs = await database().query(
        "select 1 from private.jobs where kind = 'outbox' and key = ? and due_at <= now()",
        box.id,
      )
      expect(jobs).toHaveLength(1)
      await work()
      expect(smtp.mails).toHaveLength(1)
    })

    test('that is paused sends nothing', async () => {
      const { ids } = await plan(mail())
      const pause = (is_paused: boolean) =>
        ok(owner.client.from('mail_accounts').update({ is_paused }).eq('id', box.id).select())
      await pause(true)
      await work()
      expect(await stateOf(ids[0])).toMatchObject({ state: 'planned' })
      await pause(false)
      await work()
      expect(smtp.mails).toHaveLength(1)
    })

    test('without a sent folder that can be reached: told, and not sent again', async () => {
      const { ids } = await plan(mail())
      const noImap = { ...box, imap_port: 1 }
      await database().query('update public.mail_accounts set imap_port = 1 where id = ?', box.id)
      await keepSecret(database().connection.kysely, noImap, key.seal(smtp.password, noImap))
      for (let round = 0; round < 6; round += 1) {
        await work()
        await due()
      }
      expect(smtp.mails).toHaveLength(1)
      expect(await shown()).toMatchObject([
        {
          id: ids[0],
          state: 'sent',
          problem: expect.stringMatching(/It was sent, but no copy .*doesn’t answer on port 1/),
        },
      ])
    })
  })
})
