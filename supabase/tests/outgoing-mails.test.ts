import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  mailsPlanned,
  mailsStopped,
  outbox,
  outgoingMail,
  type PlannedMail,
} from '#domain/outgoing-mail.ts'
import { type Account, ok, onEachDatabase } from './harness.ts'
import { add } from './samples.ts'

onEachDatabase((database) => {
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
        [{ account: theirs }, /account no longer exists/],
        [{ account: noServer }, /no server for sending/],
        [{ to: [] }, /somebody to go to/],
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
})
