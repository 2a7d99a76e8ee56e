import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  mailsPlanned,
  mailsStopped,
  outbox,
  outgoingMail,
  type PlannedMail,
} from '#domain/outgoing-mail.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  let box: string
  beforeEach(async () => {
    owner = await database().signUp()
    const address = `me-${randomUUID()}@own.example`
    box = (await add(owner, 'mail_accounts', { address })).id
  })

  function mail(changes: Partial<PlannedMail> = {}): PlannedMail {
    return {
      account: box,
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

  const plan = async (...mails: PlannedMail[]) =>
    mailsPlanned.parse(await ok(owner.client.rpc('plan_mails', { mails })))
  const shown = async (before?: string, page_size?: number) =>
    outbox.parse(
      await ok(
        owner.client.rpc('outbox', {
          ...(before ? { before } : {}),
          ...(page_size ? { page_size } : {}),
        }),
      ),
    )
  const refusal = async (...mails: unknown[]) => {
    const { error, status } = await owner.client.rpc('plan_mails', { mails: mails as never })
    return { status, message: error?.message }
  }

  describe('a mail is planned', () => {
    test('once, however often it is asked for under the same ids', async () => {
      const two = [mail({ id: randomUUID() }), mail({ id: randomUUID() })]
      const first = await plan(...two)
      expect(first.ids).toEqual(two.map(({ id }) => id))
      expect(await plan(...two)).toEqual(first)
      expect((await shown()).mails).toHaveLength(2)
      // Another account has no part in it.
      const stranger = await database().signUp()
      const theirs = (await add(stranger, 'mail_accounts', { address: 'x@own.example' })).id
      const { error } = await stranger.client.rpc('plan_mails', {
        mails: [{ ...two[0], account: theirs }] as never,
      })
      expect(error?.code).toBe('23505')
    })

    test('asked for again it leaves, though it was stopped meanwhile; not where it may have left', async () => {
      const again = mail({ id: randomUUID() })
      const { ids } = await plan(again)
      const stateOf = async () => (await shown()).mails[0]?.state
      await ok(owner.client.rpc('stop_mails', { ids }))
      expect(await stateOf()).toBe('stopped')
      await plan(again)
      expect(await stateOf()).toBe('planned')
      await database().query(
        "update private.outgoing_mails set state = 'failed', may_have_left = true where id = ?",
        ids[0],
      )
      expect(await refusal(again)).toMatchObject({
        status: 409,
        message: expect.stringMatching(/may have been sent already/),
      })
    })

    test('in the place of another, which goes in the same moment; not once that has begun to leave', async () => {
      const { ids } = await plan(mail({ subject: 'Old' }))
      const replace = (subject: string) =>
        owner.client.rpc('plan_mails', { mails: [mail({ subject })] as never, replaces: ids })
      const stranger = await database().signUp()
      const theirs = (await add(stranger, 'mail_accounts', { address: 'x@own.example' })).id
      await ok(
        stranger.client.rpc('plan_mails', {
          mails: [mail({ account: theirs })] as never,
          replaces: ids,
        }),
      )
      expect((await shown()).mails).toMatchObject([{ subject: 'Old' }])
      await database().query(
        "update private.outgoing_mails set state = 'sending' where id = ?",
        ids[0],
      )
      const refused = await replace('Too late')
      expect(refused.error?.message).toMatch(/has left meanwhile/)
      expect((await shown()).mails).toMatchObject([{ subject: 'Old' }])
      await database().query(
        "update private.outgoing_mails set state = 'planned' where id = ?",
        ids[0],
      )
      await ok(replace('New'))
      expect((await shown()).mails).toMatchObject([{ subject: 'New' }])
    })

    test('and held while it is written on: for five minutes, or until it is let go', async () => {
      const { ids } = await plan(mail())
      await database().query(
        "update private.outgoing_mails set send_at = now() - interval '1 minute' where id = ?",
        ids[0],
      )
      const isDue = async () =>
        (
          await database().query<{ due: boolean }>(
            'select due_at <= now() as due from private.outbox_times(?, 100)',
            box,
          )
        )[0]?.due
      expect(await isDue()).toBe(true)
      expect(await ok(owner.client.rpc('hold_mails', { ids }))).toEqual({ gone: [] })
      expect(await isDue()).toBe(false)
      const stranger = await database().signUp()
      await ok(stranger.client.rpc('hold_mails', { ids, holds: false }))
      expect(await isDue()).toBe(false)
      // A window that dies lets it go by itself.
      await database().query(
        "update private.outgoing_mails set held_until = held_until - interval '5 minutes' where id = ?",
        ids[0],
      )
      expect(await isDue()).toBe(true)
      await ok(owner.client.rpc('hold_mails', { ids }))
      await ok(owner.client.rpc('hold_mails', { ids, holds: false }))
      expect(await isDue()).toBe(true)
      await database().query(
        "update private.outgoing_mails set state = 'sent' where id = ?",
        ids[0],
      )
      expect(await ok(owner.client.rpc('hold_mails', { ids }))).toEqual({ gone: ids })
    })

    test('of a run all that failed are tried again at once, all that were stopped, or all deleted', async () => {
      const { run, ids } = await plan(mail(), mail(), mail(), mail())
      await database().query(
        "update private.outgoing_mails set state = 'failed', may_have_left = id = ? where id = any (?)",
        ids[1],
        ids.slice(0, 2),
      )
      await database().query(
        "update private.outgoing_mails set state = 'stopped' where id = ?",
        ids[2],
      )
      const other = run ?? ''
      expect(await ok(owner.client.rpc('retry_run', { run: other, state: 'failed' }))).toEqual({
        planned: [ids[0]],
      })
      expect((await shown()).runs).toMatchObject([
        { failed: 1, may_have_left: 1, stopped: 1, waiting: 2 },
      ])
      const stranger = await database().signUp()
      await ok(stranger.client.rpc('retry_run', { run: other, state: 'stopped' }))
      expect(await ok(stranger.client.rpc('forget_run', { run: other }))).toBe(0)
      expect(await ok(owner.client.rpc('retry_run', { run: other, state: 'stopped' }))).toEqual({
        planned: [ids[2]],
      })
      expect(await ok(owner.client.rpc('forget_run', { run: other }))).toBe(1)
      expect((await shown()).runs).toMatchObject([{ total: 3, failed: 0, waiting: 3 }])
    })

    test('for ten seconds later, or its time; several are one run, in their order', async () => {
      const begun = Date.now()
      const { run, ids, leaves_at } = await plan(mail())
      expect(run).toBeNull()
      expect(ids).toHaveLength(1)
      const wait = new Date(leaves_at).getTime() - begun
      expect(wait).toBeGreaterThan(9000)
      expect(wait).toBeLessThan(13_000)

      const later = new Date(begun + 3_600_000).toISOString()
      const people = ['a@x.example', 'b@x.example', 'c@x.example']
      const many = await plan(
        ...people.map((address) => mail({ to: [{ address }], send_at: later })),
      )
      expect(many.run).not.toBeNull()
      const seen = await shown()
      expect(seen.runs).toMatchObject([{ run: many.run, total: 3, waiting: 3, subject: 'Offer' }])
      expect(seen.mails.map(({ to }) => to[0]?.address)).toEqual([
        ...people.toReversed(),
        'ada@example.com',
      ])
      const first = await shown(undefined, 2)
      const second = await shown(first.next ?? '', 2)
      expect([...first.mails, ...second.mails]).toEqual(seen.mails)
      const jobs = await database().query<{ due: boolean }>(
        "select due_at between now() and now() + interval '11 seconds' as due from private.jobs where kind = 'outbox' and key = ?",
        box,
      )
      expect(jobs).toEqual([{ due: true }])
    })

    test('whole, with everybody once; lines break no header', async () => {
      const company = await add(owner, 'companies')
      const file = await add(owner, 'files', { company_id: company.id })
      const { ids } = await plan(
        mail({
          to: [{ address: 'ada@example.com', name: 'Ada\r\nBcc: eve@evil.example' }],
          cc: [{ address: 'ADA@example.com' }, { address: 'bob@example.com' }],
          bcc: [{ address: 'carl@example.com' }],
          subject: 'Offer\r\nBcc: eve@evil.example\u2028x',
          html: '<p>Dear</p>',
          files: [file.id],
          follow_up_days: 3,
        }),
      )
      const whole = outgoingMail.parse(
        await ok(owner.client.rpc('outgoing_mail', { id: ids[0] ?? '' })),
      )
      expect(whole).toMatchObject({
        state: 'planned',
        to: [{ address: 'ada@example.com', name: 'Ada Bcc: eve@evil.example' }],
        cc: [{ address: 'bob@example.com' }],
        bcc: [{ address: 'carl@example.com' }],
        subject: 'Offer Bcc: eve@evil.example x',
        text: 'Dear Ada',
        html: '<p>Dear</p>',
        files: [{ id: file.id, name: 'offer.png' }],
        follow_up_days: 3,
      })
    })

    test('not where it cannot be sent, and then none of them', async () => {
      const stranger = await database().signUp()
      const theirs = (await add(stranger, 'mail_accounts')).id
      const theirMail = await add(stranger, 'mails')
      const theirFile = await add(stranger, 'files')
      const theirDeal = await add(stranger, 'deals')
      const noServer = (await add(owner, 'mail_accounts', { smtp_host: null })).id
      const far = new Date(Date.now() + 400 * 86_400_000).toISOString()
      const refused: [Partial<PlannedMail>, RegExp][] = [
        [{ account: theirs }, /mailbox no longer exists/],
        [{ account: noServer }, /no server for sending/],
        [{ to: [] }, /needs a recipient/],
        [{ to: [{ address: 'nobody' }] }, /“nobody” is not an email address/],
        [{ to: [{ address: 'a@x\r\nRCPT TO:<eve@evil.example>' }] }, /is not an email address/],
        [{ bcc: [{ address: 'a@x.example,b@x.example' }] }, /is not an email address/],
        [{ cc: [{ address: 'a\u0085@x.example' }] }, /is not an email address/],
        [{ to: [{ address: '<a@x.example>' }] }, /is not an email address/],
        [
          { to: Array.from({ length: 101 }, (_, place) => ({ address: `p${place}@x.example` })) },
          /at most 100 people/,
        ],
        [{ files: [theirFile.id] }, /file of this email no longer exists/],
        [{ answers: theirMail.id }, /answers no longer exists/],
        [{ deal: theirDeal.id }, /deal no longer exists/],
        [{ follow_up_days: 0 }, /1 to 365 days/],
        [{ send_at: far }, /at most a year ahead/],
        [{ text: 'x'.repeat(1_000_001) }, /too long/],
      ]
      for (const [changes, words] of refused) {
        const { status, message } = await refusal(mail(), mail(changes))
        expect({ message, status: status >= 400 && status < 500 }).toEqual({
          message: expect.stringMatching(words),
          status: true,
        })
        expect(message).toContain('Nothing was sent')
      }
      expect((await refusal()).message).toMatch(/no email to send/)
      expect((await refusal(...Array.from({ length: 501 }, () => mail()))).message).toMatch(
        /At most 500/,
      )
      expect((await refusal('x')).message).toMatch(/cannot be read/)
      expect((await shown()).mails).toEqual([])
    })

    test('its files may be 25 MB together, and what they hold stays until it has left', async () => {
      const company = await add(owner, 'companies')
      const file = await add(owner, 'files', { company_id: company.id })
      const other = await add(owner, 'files', { company_id: company.id })
      await database().query(
        'update public.files set size = ? where id = ?',
        25 * 1_048_576,
        other.id,
      )
      expect((await refusal(mail({ files: [file.id, other.id] }))).message).toMatch(/25 MB/)
      const { ids } = await plan(mail({ files: [file.id] }))
      await ok(owner.client.from('files').delete().eq('company_id', company.id).select())
      const drop = async () => {
        await database().query(
          "update public.changes set before = null where user_id = ? and table_name = 'files'",
          owner.id,
        )
        await database().query(
          "update private.file_contents set touched_at = now() - interval '2 days' where user_id = ?",
          owner.id,
        )
        await database().query('select private.drop_loose_contents(?::uuid)', owner.id)
        return database().query('select 1 from private.file_contents where user_id = ?', owner.id)
      }
      expect(await drop()).toHaveLength(1)
      await ok(owner.client.rpc('stop_mails', { ids }))
      await ok(owner.client.rpc('forget_mails', { ids }))
      expect(await drop()).toHaveLength(0)
    })
  })

  describe('a planned mail', () => {
    const stop = async (ids: string[]) =>
      mailsStopped.parse(await ok(owner.client.rpc('stop_mails', { ids })))
    const set = (id: string | undefined, change: string) =>
      database().query(`update private.outgoing_mails set ${change} where id = ?`, id)

    test('is stopped unless it has begun to leave; others are not the caller’s', async () => {
      const { ids, run } = await plan(mail(), mail(), mail(), mail())
      const [waiting, sending, sent, failed] = ids
      await set(sending, "state = 'sending'")
      await set(sent, "state = 'sent'")
      await set(failed, "state = 'failed', problem = 'No'")
      const stranger = await database().signUp()
      const nothing = { stopped: [], gone: [] }
      expect(await ok(stranger.client.rpc('stop_mails', { ids }))).toEqual(nothing)
      expect(await ok(stranger.client.rpc('stop_run', { run: run ?? '' }))).toEqual(nothing)
      expect(await ok(stranger.client.rpc('retry_mails', { ids }))).toEqual({ planned: [] })
      expect(await ok(stranger.client.rpc('forget_mails', { ids }))).toBe(0)
      expect((await stranger.client.rpc('outgoing_mail', { id: waiting ?? '' })).status).toBe(404)
      expect(outbox.parse(await ok(stranger.client.rpc('outbox'))).mails).toEqual([])
      expect((await shown()).mails.map(({ state }) => state).sort()).toEqual([
        'failed',
        'planned',
        'sending',
      ])

      expect(await stop(ids)).toEqual({ stopped: [waiting], gone: [sending, sent] })
      const seen = await shown()
      expect(seen.runs).toMatchObject([{ total: 4, sent: 1, failed: 1, stopped: 1, waiting: 1 }])
      expect(seen.mails.map(({ id }) => id).sort()).toEqual([waiting, sending, failed].sort())
      const again = await ok(owner.client.rpc('stop_run', { run: run ?? '' }))
      expect(again).toEqual({ stopped: [waiting], gone: [sending, sent] })
    })

    test('that failed or was stopped is tried again, or leaves the outbox', async () => {
      const { ids } = await plan(mail(), mail(), mail())
      const [failed, stopped, sent] = ids
      await set(failed, "state = 'failed', problem = 'No', tries = 7, handed_at = now()")
      await set(sent, "state = 'sent', problem = 'No copy'")
      await stop([stopped ?? ''])
      expect(await ok(owner.client.rpc('retry_mails', { ids }))).toEqual({
        planned: [failed, stopped],
      })
      expect((await shown()).mails.filter(({ state }) => state === 'planned')).toMatchObject([
        { tries: 0 },
        { tries: 0 },
      ])
      await stop(ids)
      expect(await ok(owner.client.rpc('forget_mails', { ids }))).toBe(3)
      expect((await shown()).mails).toEqual([])
    })

    test('of an account that is paused, or whose password is missing, says why it waits', async () => {
      const { ids, waits } = await plan(mail())
      expect(waits).toMatch(/password of .* is missing/)
      const problem = async () => (await shown()).mails[0]?.problem
      expect(await problem()).toMatch(/enter it in Settings/)
      await database().query("update public.mail_accounts set state = 'working' where id = ?", box)
      expect(await problem()).toBeNull()
      await ok(
        owner.client.from('mail_accounts').update({ is_paused: true }).eq('id', box).select(),
      )
      expect(await problem()).toMatch(/is paused/)
      expect(ids).toHaveLength(1)
    })
  })

  describe('what leaves next', () => {
    type Taken = { subject: string }
    const take = async (pace: number) =>
      (
        await database().query<Taken>(
          'select subject from private.take_outgoing(?::uuid, ?::integer)',
          box,
          pace,
        )
      ).map(({ subject }) => subject)
    const wait = async (pace: number) =>
      (
        await database().query<{ seconds: number | null }>(
          'select private.outbox_wait(?::uuid, ?::integer) as seconds',
          box,
          pace,
        )
      )[0]?.seconds ?? null
    const due = () =>
      database().query(
        "update private.outgoing_mails set send_at = send_at - interval '1 minute' where user_id = ?",
        owner.id,
      )
    const pass = (time: string) =>
      database().query(
        `update private.outgoing_mails set tried_at = tried_at - interval '${time}' where user_id = ?`,
        owner.id,
      )

    test('is taken once, however many take at the same time; stopped or taken, never both', async () => {
      const { ids } = await plan(mail({ subject: 'One' }))
      await due()
      const taken = await Promise.all([take(1000), take(1000), take(1000)])
      expect(taken.flat()).toEqual(['One'])
      await plan(mail({ subject: 'Two' }))
      await due()
      const waiting = (await shown()).mails.map(({ id }) => id)
      const [stopped, last] = await Promise.all([
        ok(owner.client.rpc('stop_mails', { ids: waiting })),
        take(1000),
      ])
      const { stopped: kept, gone } = mailsStopped.parse(stopped)
      expect(gone).toContain(ids[0])
      expect(kept.length + last.length).toBe(1)
    })

    test('keeps the pace: a run its distance, and not more than allowed in an hour', async () => {
      expect(await wait(60)).toBeNull()
      await plan(mail({ subject: 'One' }), mail({ subject: 'Two' }))
      expect(await take(60)).toEqual([])
      expect(await wait(60)).toBeGreaterThan(5)
      await due()
      expect(await take(60)).toEqual(['One'])
      expect(await take(60)).toEqual([])
      const seconds = (await wait(60)) ?? 0
      expect(seconds).toBeGreaterThan(50)
      expect(seconds).toBeLessThan(61)
      // Somebody wrote a mail meanwhile: it does not wait behind the run.
      await plan(mail({ subject: 'Single' }))
      await due()
      expect(await take(2)).toEqual(['Single'])
      await pass('61 seconds')
      // Two have left in this hour, which is as many as may.
      expect(await take(2)).toEqual([])
      expect(await wait(2)).toBeGreaterThan(3400)
      expect(await take(60)).toEqual(['Two'])
    })
  })

  describe('a mail that has left', () => {
    const sent = async (id: string | undefined) => {
      await database().query(
        "update private.outgoing_mails set state = 'sending', tried_at = now() - interval '1 minute' where id = ?",
        id,
      )
      await database().query('select private.note_sent(?::uuid)', id)
    }
    const kept = () => ok(owner.client.from('mails').select().eq('direction', 'out'))
    const tasks = () => ok(owner.client.from('tasks').select())
    const reply = (changes: Record<string, unknown>) =>
      database().query(
        'select private.store_mail(?::uuid, ?::jsonb)',
        box,
        JSON.stringify({
          message_id: `<${randomUUID()}@example.com>`,
          direction: 'in',
          sender: 'ada@example.com',
          recipients: [],
          subject: 'Re: Offer',
          sent_at: new Date().toISOString(),
          ...changes,
        }),
      )

    test('is kept where somebody is known, with its deal; and not of whom nothing is kept', async () => {
      const ada = await add(owner, 'contacts')
      const deal = await add(owner, 'deals')
      const { ids } = await plan(
        mail({ deal: deal.id }),
        mail({ to: [{ address: 'nobody@else.example' }] }),
      )
      for (const id of ids) await sent(id)
      await sent(ids[0])
      expect(await kept()).toMatchObject([{ deal: deal.id, subject: 'Offer', snippet: 'Dear Ada' }])
      const links = await database().query<{ contact_id: string | null }>(
        'select contact_id from private.mail_links where user_id = ?',
        owner.id,
      )
      expect(links.map(({ contact_id }) => contact_id).sort()).toEqual([ada.id, null])
      await ok(owner.client.from('mail_exclusions').insert({ contact: ada.id }).select())
      const again = await plan(mail())
      await sent(again.ids[0])
      expect((await kept()).filter(({ deal: about }) => about === null)).toEqual([])
    })

    test('whose copy was read first is one mail, with its hidden recipients', async () => {
      await add(owner, 'contacts')
      const { ids } = await plan(mail({ bcc: [{ address: 'bob@example.com' }] }))
      const [row] = await database().query<{ message_id: string }>(
        'select message_id from private.outgoing_mails where id = ?',
        ids[0],
      )
      const { message_id } = row ?? {}
      const recipients = [{ role: 'to', name: 'Ada', address: 'ada@example.com' }]
      await reply({
        message_id,
        direction: 'out',
        sender: null,
        recipients,
        folder: 'Sent',
        uid: 7,
      })
      await sent(ids[0])
      expect(await kept()).toMatchObject([
        { message_id, uid: 7, recipients: [{ role: 'to' }, { role: 'bcc' }] },
      ])
    })

    test('is followed up by a task on a day of the user, which only a real reply removes', async () => {
      const ada = await add(owner, 'contacts')
      await ok(
        owner.client
          .from('preferences')
          .update({ time_zone: 'Pacific/Auckland' })
          .eq('user_id', owner.id)
          .select(),
      )
      const { ids } = await plan(mail({ follow_up_days: 3 }))
      expect(await tasks()).toEqual([])
      await sent(ids[0])
      const [task] = await tasks()
      expect(task).toMatchObject({
        title: 'Follow up: Offer',
        contact_id: ada.id,
        due_all_day: true,
        completed: false,
      })
      const [day] = await database().query<{ right: boolean }>(
        `select (due_date at time zone 'Pacific/Auckland')::date = (now() at time zone 'Pacific/Auckland')::date + 3 as right
         from public.tasks where id = ?`,
        task?.id,
      )
      expect(day).toEqual({ right: true })
      const [mine] = await kept()
      const refs = [mine?.message_id]
      await reply({ refs, is_automatic: true })
      await reply({ refs, is_doubtful: true })
      await reply({
        refs,
        direction: 'out',
        sender: null,
        recipients: [{ role: 'to', name: '', address: 'ada@example.com' }],
      })
      await reply({})
      expect(await tasks()).toHaveLength(1)
      await reply({ refs })
      expect(await tasks()).toEqual([])
      // In the log, so that it can come back.
      const [change] = await ok(
        owner.client.from('changes').select('batch').eq('verb', 'delete').eq('table_name', 'tasks'),
      )
      await ok(owner.client.rpc('undo_batch', { batch: change?.batch ?? '' }))
      expect(await tasks()).toMatchObject([{ id: task?.id }])
      await reply({ refs })
      expect(await tasks()).toHaveLength(1)
    })

    test('ends the wait also when somebody unknown answers, of whom nothing is kept', async () => {
      const noteReplies = (...replies: object[]) =>
        database().query(
          'select private.note_replies(?::uuid, ?::jsonb)',
          owner.id,
          JSON.stringify(replies),
        )
      const awaits = async () => {
        const [row] = await database().query<{ awaits: boolean }>(
          'select private.awaits_reply(?::uuid) as awaits',
          owner.id,
        )
        return row?.awaits
      }
      // Nobody on it is known either, so the mail itself is not kept.
      const { ids } = await plan(mail({ follow_up_days: 3 }), mail({ follow_up_days: 3 }))
      expect(await awaits()).toBe(false)
      for (const id of ids) await sent(id)
      expect([await kept(), (await tasks()).length, await awaits()]).toEqual([[], 2, true])
      const [first] = await database().query<{ message_id: string }>(
        'select message_id from private.outgoing_mails where id = ?',
        ids[0],
      )
      const refs = ['<earlier@example.com>', first?.message_id]
      const stranger = { sender: 'assistant@else.example', refs }
      const other = await database().signUp()
      await database().query(
        'select private.note_replies(?::uuid, ?::jsonb)',
        other.id,
        JSON.stringify([stranger]),
      )
      await noteReplies({ ...stranger, sender: owner.email }, { ...stranger, refs: ['<x@y>'] })
      expect(await tasks()).toHaveLength(2)
      await noteReplies(stranger)
      expect([(await tasks()).length, await kept(), await awaits()]).toEqual([1, [], true])
      await ok(
        owner.client.from('tasks').update({ completed: true }).eq('user_id', owner.id).select(),
      )
      expect(await awaits()).toBe(false)
    })

    test('a task that is done stays done, whoever replies', async () => {
      await add(owner, 'contacts')
      const { ids } = await plan(mail({ follow_up_days: 1, subject: '' }))
      await sent(ids[0])
      expect(await tasks()).toMatchObject([{ title: 'Follow up: email without a subject' }])
      await ok(
        owner.client.from('tasks').update({ completed: true }).eq('user_id', owner.id).select(),
      )
      const [mine] = await kept()
      await reply({ refs: [mine?.message_id] })
      expect(await tasks()).toMatchObject([{ completed: true }])
    })
  })

  test('an account that is removed leaves its mails in the outbox, failed in words', async () => {
    const { ids } = await plan(mail(), mail(), mail())
    const [waiting, leaving, gone] = ids
    const change = (id: string | undefined, to: string) =>
      database().query(`update private.outgoing_mails set ${to} where id = ?`, id)
    await change(leaving, "state = 'sending', handed_at = now()")
    await change(gone, "state = 'sent', needs_copy = true")
    await ok(owner.client.rpc('remove_mail_account', { id: box, with_mails: true }))
    const { mails } = await shown()
    const problems = new Map(mails.map(({ id, state, problem }) => [id, [state, problem]]))
    expect(problems.get(waiting ?? '')).toEqual([
      'failed',
      expect.stringMatching(/was removed before this email was sent/),
    ])
    expect(problems.get(leaving ?? '')).toEqual([
      'failed',
      expect.stringMatching(/may have been sent/),
    ])
    expect(problems.has(gone ?? '')).toBe(false)
    const { error, status } = await owner.client.rpc('retry_mails', { ids })
    expect({ status, message: error?.message }).toEqual({
      status: 409,
      message: expect.stringMatching(/choose another mailbox/),
    })
    const jobs = await database().query(
      "select 1 from private.jobs where kind = 'outbox' and key = ?",
      box,
    )
    expect(jobs).toEqual([])
    // The process that was sending it comes to the end.
    await database().query('select private.note_sent(?::uuid)', leaving)
    expect((await shown()).mails.map(({ id }) => id)).toEqual([waiting])
  })
})
