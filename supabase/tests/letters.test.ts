import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startJobs } from '#server/jobs/jobs.ts'
import { keepLetters, letterAttempts, letterJob } from '#server/mail/kept-letters.ts'
import type { Letter, MailMessage, SendMail } from '#server/mail/message.ts'
import { type Account, eventually, onAnyDatabase } from './harness.ts'

/** What nodemailer throws; told apart by these three, see server/mail/mailbox.test.ts. */
const failure = (code: string, command?: string, responseCode?: number) =>
  Object.assign(new Error('ada@example.com was refused'), { code, command, responseCode })
const isDown = failure('ESOCKET', 'CONN')

type Row = { kind: string; tries: number; wait: number; left: number; text: string }

onAnyDatabase((database) => {
  let owner: Account
  let sent: MailMessage[] = []
  let problem: Error | null = null
  let lines: string[] = []

  beforeEach(async () => {
    owner = await database().signUp()
    sent = []
    problem = null
    lines = []
    await database().query("delete from private.jobs where kind = 'letter'")
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  })

  /** One server process with a mail server that may be down. */
  function office(handOver: SendMail = send) {
    const { connection } = database()
    const attempts = letterAttempts(connection.kysely)
    const jobs = startJobs(connection, { letter: letterJob({ handOver, attempts }) })
    onTestFinished(() => jobs.stop())
    return { send: keepLetters(jobs), deliver: jobs.settle, close: jobs.stop }
  }

  async function send(message: MailMessage) {
    if (problem) throw problem
    sent.push(message)
  }

  const letter = (words = 'Words', kind: Letter['kind'] = 'signup'): Letter => ({
    to: owner.email,
    subject: 'Hello',
    text: words,
    html: `<p>${words}</p>`,
    account: owner.id,
    kind,
    validSeconds: 3600,
  })

  const kept = () =>
    database().query<Row>(`
      select split_part(key, ' ', 2) as kind, tries, extract(epoch from due_at - now())::int as wait,
        (payload ->> 'expires_at')::float8 / 1000 - extract(epoch from now()) as left,
        payload -> 'message' ->> 'text' as text
      from private.jobs where kind = 'letter' order by key`)

  const pass = (minutes: number) =>
    database().query(
      `update private.jobs set due_at = due_at - make_interval(mins => ?::int),
        payload = payload || jsonb_build_object('expires_at', (payload -> 'expires_at')::float8 - ?::int * 60000)
      where kind = 'letter'`,
      minutes,
      minutes,
    )

  describe('a letter', () => {
    test('is handed over in the background, whole, and not kept any longer', async () => {
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      const { to, subject, text, html } = letter()
      expect(sent).toEqual([{ to, subject, text, html, account: owner.id }])
      expect(await kept()).toEqual([])
      expect(lines).toEqual([])
    })

    test('is sent once by however many servers share the database', async () => {
      problem = isDown
      const letters = office()
      await letters.send(letter('one'))
      await letters.send(letter('two', 'recovery'))
      await letters.deliver()
      problem = null
      await pass(1)
      await Promise.all([letters, office(), office()].map((each) => each.deliver()))
      expect(sent.map(({ text }) => text).sort()).toEqual(['one', 'two'])
    })

    test('that cannot be read as a mail to one person is refused at once', async () => {
      const letters = office()
      const smuggled = { ...letter(), to: `${owner.email},eve@evil.example` }
      await expect(letters.send(smuggled)).rejects.toThrow('exactly one address')
      expect(await kept()).toEqual([])
    })

    test('that the mail server cannot take is tried again after growing pauses, and sent', async () => {
      problem = isDown
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      const pauses: number[] = []
      for (const minutes of [1, 2, 4, 8, 15]) {
        const [row] = await kept()
        pauses.push(Math.ceil((row?.wait ?? 0) / 60))
        // Before its time nothing is tried.
        await letters.deliver()
        expect(await kept()).toMatchObject([{ tries: pauses.length }])
        await pass(minutes)
        if (minutes === 15) problem = null
        await letters.deliver()
      }
      expect(pauses).toEqual([1, 2, 4, 8, 15])
      expect(sent).toHaveLength(1)
      expect(await kept()).toEqual([])
      expect(lines).toHaveLength(5)
      expect(lines[0]).toBe('A mail could not be sent and is kept: Error ESOCKET\n')
    })

    test('outlives the server: the next one sends it', async () => {
      problem = isDown
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      await letters.close()
      expect(await kept()).toMatchObject([{ tries: 1 }])
      problem = null
      await pass(1)
      await office().deliver()
      expect(sent).toHaveLength(1)
    })

    test('is given up when its link has expired', async () => {
      problem = isDown
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      expect((await kept())[0]?.left).toBeGreaterThan(3500)
      await pass(61)
      problem = null
      await letters.deliver()
      expect(sent).toEqual([])
      expect(await kept()).toEqual([])
      expect(lines.at(-1)).toBe(
        'A mail could not be sent before it was of no use, and is given up.\n',
      )
    })

    test.each([
      ['the recipient', failure('EENVELOPE', 'RCPT TO', 550)],
      ['the message', failure('EMESSAGE', 'DATA', 554)],
    ])('is given up when the mail server refuses %s for good', async (_what, refusal) => {
      problem = refusal
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      expect(await kept()).toEqual([])
      expect(lines).toEqual([
        `The mail server refused a mail for good: Error ${'code' in refusal && refusal.code}\n`,
      ])
    })

    test.each([
      ['a mailbox that is full for now', failure('EENVELOPE', 'RCPT TO', 450)],
      ['our own wrong password', failure('EAUTH', 'AUTH PLAIN', 535)],
      ['our own sender', failure('EENVELOPE', 'MAIL FROM', 550)],
    ])('stays when it fails by %s', async (_what, refusal) => {
      problem = refusal
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      expect(await kept()).toMatchObject([{ tries: 1 }])
    })

    test('gives way to a newer one of its kind, whose link has made the older one void', async () => {
      problem = isDown
      const letters = office()
      await letters.send(letter('old'))
      await letters.send(letter('other', 'email_change'))
      await letters.deliver()
      await letters.send(letter('new'))
      await letters.deliver()
      expect(await kept()).toMatchObject([
        { kind: 'email_change', text: 'other' },
        { kind: 'signup', text: 'new', tries: 1 },
      ])
      problem = null
      await pass(1)
      await letters.deliver()
      expect(sent.map(({ text }) => text).sort()).toEqual(['new', 'other'])
    })

    test('that is replaced while it is being sent does not take the newer one away', async () => {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const letters = office(async (message) => {
        sent.push(message)
        if (message.text === 'old') await held
      })
      await letters.send(letter('old'))
      await eventually(() => expect(sent).toHaveLength(1))
      await letters.send(letter('new'))
      release()
      await letters.deliver()
      expect(sent.map(({ text }) => text)).toEqual(['old', 'new'])
    })

    test('says nothing of the person in the log', async () => {
      problem = isDown
      const letters = office()
      await letters.send(letter())
      await letters.deliver()
      await pass(61)
      await letters.deliver()
      expect(lines).toHaveLength(2)
      expect(lines.join('')).not.toMatch(/@|Hello|Words/)
      expect(lines.join('')).not.toContain(owner.id)
    })
  })

  test('nobody who asks over the API can read a letter', async () => {
    problem = isDown
    const letters = office()
    await letters.send(letter(randomUUID()))
    const [open] = await database().query<{ roles: string[] | null }>(`
      select array_agg(role) filter (where has_table_privilege(role, 'private.jobs', 'SELECT, INSERT, UPDATE, DELETE')) as roles
      from unnest(array['anon', 'authenticated']) role`)
    expect(open?.roles).toBeNull()
  })
})
