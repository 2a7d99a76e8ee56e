import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Jobs, startJobs } from '#server/jobs/jobs.ts'
import { agendaJob } from '#server/mail/agenda-job.ts'
import { agendaLinks } from '#server/mail/agenda-link.ts'
import { letterAttempts, letterJob } from '#server/mail/kept-letters.ts'
import type { MailMessage, SendMail } from '#server/mail/message.ts'
import { type Account, eventually, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

const links = agendaLinks({ jwtSecret: 'a secret of this test' })
const hour = 3_600_000

onAnyDatabase((database) => {
  let owner: Account
  let sent: MailMessage[] = []
  let now = 0

  beforeEach(async () => {
    await database().query("delete from private.jobs where kind in ('letter', 'agenda')")
    await database().query('delete from private.agendas')
    owner = await database().signUp()
    await ok(
      owner.client
        .from('preferences')
        .update({ time_zone: 'UTC' })
        .eq('user_id', owner.id)
        .select(),
    )
    sent = []
    // At noon, so that the hours before and after it are of the same day, whenever the test runs.
    now = new Date().setUTCHours(12, 0, 0, 0)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  })

  /** One of the server processes that share the database. */
  function office(
    send: SendMail = async (mail, mayEnd) => {
      await mayEnd?.()
      sent.push(mail)
    },
  ) {
    const { connection } = database()
    const jobs = startJobs(connection, {
      agenda: agendaJob({ connection, siteUrl: 'https://crm.example', links, now: () => now }),
      letter: letterJob({
        handOver: send,
        attempts: letterAttempts(connection.kysely),
        async onSent(kind, account) {
          if (kind === 'agenda')
            await database().query('select private.agenda_sent(?::uuid)', account)
        },
        now: () => now,
      }),
    })
    onTestFinished(() => jobs.stop())
    return jobs
  }

  const setting = () => ok(owner.client.rpc('agenda_setting'))
  const job = async () => {
    const [row] = await database().query<{ wait: number }>(
      "select extract(epoch from due_at - now())::int as wait from private.jobs where kind = 'agenda' and user_id = ?::uuid",
      owner.id,
    )
    return row?.wait ?? null
  }

  /** Turned on long ago, and its hour of today is now; the job is due. */
  async function turnOn() {
    const chosen = new Date(now).getUTCHours()
    await ok(owner.client.rpc('set_agenda', { hour: chosen }))
    await database().query("update private.agendas set since = now() - interval '3 days'")
  }
  const dueNow = () =>
    database().query("update private.jobs set due_at = now() where kind = 'agenda'")

  /** Either process may have taken what is due, and what that plans may be taken by the other. */
  const allDone = (processes: Jobs[]) =>
    eventually(async () => {
      await Promise.all(processes.map((each) => each.settle()))
      const [left] = await database().query<{ count: number }>(
        "select count(*)::int from private.jobs where kind in ('letter', 'agenda') and (claim is not null or due_at <= now())",
      )
      expect(left?.count).toBe(0)
    })

  const aTask = () =>
    add(owner, 'tasks', { title: 'Send the <b>offer</b>', due_date: new Date(now).toISOString() })

  describe('the agenda', () => {
    test('is sent once a day, however many processes there are and however often it is asked for', async () => {
      await aTask()
      await turnOn()
      const processes = [office(), office()]
      const work = agendaJob({
        connection: database().connection,
        siteUrl: 'https://crm.example',
        links,
        now: () => now,
      })
      const claim = { kind: 'agenda', key: owner.id, account: owner.id, payload: {}, tries: 1 }
      const { signal } = new AbortController()
      // Also two that both hold the claim, as after a lease that ran out.
      await Promise.all([
        ...processes.map((each) => each.settle()),
        work.work(claim, signal),
        work.work(claim, signal),
      ])
      await allDone(processes)
      expect(sent).toHaveLength(1)
      await dueNow()
      await allDone(processes)
      const other = (new Date(now).getUTCHours() + 23) % 24
      await ok(owner.client.rpc('set_agenda', { hour: other }))
      await database().query("update private.agendas set since = now() - interval '3 days'")
      await dueNow()
      await allDone(processes)
      expect(sent).toHaveLength(1)
      now += 24 * hour
      await dueNow()
      await allDone(processes)
      expect(sent).toHaveLength(2)
    })

    test('tells the owner, and nobody else, what is due, and how it is turned off', async () => {
      const other = await database().signUp()
      await add(other, 'tasks', { title: 'Not yours', due_date: new Date(now).toISOString() })
      await aTask()
      const contact = await add(owner, 'contacts', { first_name: 'Ada', last_name: 'Lovelace' })
      await add(owner, 'notes', {
        kind: 'meeting',
        body: 'Contract',
        happened_at: new Date(now).toISOString(),
        contact_id: contact.id,
      })
      await add(owner, 'deals', { name: 'Renewal' })
      await turnOn()
      await office().settle()
      const [mail] = sent
      expect(mail).toMatchObject({ to: owner.email, account: owner.id })
      expect(mail?.unsubscribeUrl).toBe(`https://crm.example${links.pathFor(owner.id)}`)
      for (const words of [mail?.text ?? '', mail?.html ?? '']) {
        expect(words).toContain('Meeting with Ada Lovelace')
        expect(words).toContain('Renewal')
        expect(words).toContain(`https://crm.example/app/contacts/${contact.id}`)
        expect(words).toContain(links.pathFor(owner.id))
        expect(words).not.toContain('Not yours')
      }
      expect(mail?.html).toContain('Send the &lt;b&gt;offer&lt;/b&gt;')
      expect(mail?.html).not.toMatch(/<img|<link|<script|url\(|@import/)
      expect(await setting()).toMatchObject({ last_sent_at: expect.any(String) })
    })

    test('is not sent where there is nothing to say, and not later that day either', async () => {
      await turnOn()
      const jobs = office()
      await jobs.settle()
      await aTask()
      await dueNow()
      await jobs.settle()
      expect(sent).toEqual([])
      expect(await setting()).toMatchObject({ last_sent_at: null })
    })

    test('waits for its hour, and for a mail server that is away', async () => {
      await aTask()
      await turnOn()
      now -= 2 * hour
      let isAway = true
      const jobs = office(async (mail) => {
        if (isAway) throw Object.assign(new Error('away'), { code: 'ESOCKET' })
        sent.push(mail)
      })
      await jobs.settle()
      expect(await job()).toBeGreaterThan(0)
      now += 2 * hour
      await dueNow()
      await jobs.settle()
      expect(await setting()).toMatchObject({ last_sent_at: null })
      isAway = false
      await database().query("update private.jobs set due_at = now() where kind = 'letter'")
      await jobs.settle()
      expect(sent).toHaveLength(1)
    })

    test('that may have been sent is not sent again; one that the server refused for now is', async () => {
      await aTask()
      await turnOn()
      let attempts = 0
      let answer: object = { code: 'ESOCKET' }
      const jobs = office(async (_mail, mayEnd) => {
        await mayEnd?.()
        attempts += 1
        throw Object.assign(new Error('lost'), answer)
      })
      answer = { responseCode: 451, command: 'DATA' }
      await jobs.settle()
      answer = { code: 'ESOCKET' }
      await database().query("update private.jobs set due_at = now() where kind = 'letter'")
      await jobs.settle()
      expect(attempts).toBe(2)
      const letters = () =>
        database().query<{ key: string }>("select key from private.jobs where kind = 'letter'")
      expect(await letters()).toEqual([])
    })

    test('whose process dies after the end was handed over is not sent by the next one', async () => {
      await aTask()
      await turnOn()
      const { connection } = database()
      const writer = startJobs(connection, {
        agenda: agendaJob({ connection, siteUrl: 'https://crm.example', links, now: () => now }),
      })
      await writer.settle()
      await writer.stop()
      const [claimed] = await database().query<{ key: string; payload: unknown; tries: number }>(
        "select key, payload, tries from private.claim_job(array['letter'], 60)",
      )
      if (!claimed) throw new Error('There is no letter.')
      const work = (send: SendMail, tries: number, signal = new AbortController().signal) =>
        letterJob({
          handOver: send,
          attempts: letterAttempts(connection.kysely),
          now: () => now,
        }).work({ ...claimed, kind: 'letter', account: owner.id, tries }, signal)
      const record: SendMail = async (mail, mayEnd) => {
        await mayEnd?.()
        sent.push(mail)
      }
      // One that has lost its claim, or must stop, does not hand over the end.
      await expect(work(record, claimed.tries + 1)).rejects.toThrow()
      await expect(work(record, claimed.tries, AbortSignal.abort())).rejects.toThrow()
      expect(sent).toEqual([])
      let hasBegun = () => {}
      const begun = new Promise<void>((resolve) => {
        hasBegun = resolve
      })
      void work(async (_mail, mayEnd) => {
        await mayEnd?.()
        hasBegun()
        await new Promise(() => {})
      }, claimed.tries)
      await begun
      await database().query(
        "update private.jobs set claim = null, claimed_until = null, due_at = now() where kind = 'letter'",
      )
      await office().settle()
      expect(sent).toEqual([])
    })

    test('turned off in the settings takes the mail along that waits', async () => {
      await aTask()
      await turnOn()
      await office(async () => {
        throw Object.assign(new Error('away'), { code: 'ESOCKET' })
      }).settle()
      const waiting = "select key from private.jobs where kind = 'letter'"
      expect(await database().query(waiting)).toHaveLength(1)
      await ok(owner.client.rpc('set_agenda'))
      expect(await database().query(waiting)).toEqual([])
    })

    test('is turned off for good, with the mail that waits; another account’s stays on', async () => {
      const other = await database().signUp()
      await ok(other.client.rpc('set_agenda', { hour: 7 }))
      await aTask()
      await turnOn()
      const jobs = office(async () => {
        throw Object.assign(new Error('away'), { code: 'ESOCKET' })
      })
      await jobs.settle()
      await database().query('select private.end_agenda(?::uuid)', owner.id)
      expect(await setting()).toMatchObject({ hour: null })
      expect(await job()).toBeNull()
      const waiting = "select key from private.jobs where kind = 'letter'"
      expect(await database().query(waiting)).toEqual([])
      expect(await ok(other.client.rpc('agenda_setting'))).toMatchObject({ hour: 7 })
    })

    test('is planned anew with the time zone, after a long time without a mail server, and refuses a wrong hour', async () => {
      await ok(owner.client.rpc('set_agenda', { hour: 7 }))
      await database().query(
        "update private.jobs set due_at = now() + interval '1 hour' where kind = 'agenda'",
      )
      await ok(
        owner.client
          .from('preferences')
          .update({ time_zone: 'Asia/Tokyo' })
          .eq('user_id', owner.id)
          .select(),
      )
      expect(await job()).toBeLessThanOrEqual(0)
      await database().query("delete from private.jobs where kind = 'agenda'")
      await database().query('select private.plan_agendas()')
      expect(await job()).toBeLessThanOrEqual(0)
      for (const wrong of [-1, 24]) {
        const { error } = await owner.client.rpc('set_agenda', { hour: wrong })
        expect(error?.message).toBe('The hour must be between 0 and 23. Nothing was saved.')
      }
      expect(await setting()).toMatchObject({ hour: 7 })
    })
  })
})
