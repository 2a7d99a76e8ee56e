import { createHash, randomUUID } from 'node:crypto'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { mailProblemOf } from '#domain/mail-problems.ts'
import { type MailAccount, mailAccount } from '#server/mailbox/account.ts'
import { closeMailbox, type MailRule, openMailbox } from '#server/mailbox/connect.ts'
import { openMailDesk } from '#server/mailbox/mail-desk.ts'
import { keyFrom } from '#server/mailbox/mail-key.ts'
import { keepSecret, mailStore, storedAccount } from '#server/mailbox/mail-store.ts'
import { mailboxJob } from '#server/mailbox/mailbox-job.ts'
import type { MailStore } from '#server/mailbox/read-mailbox.ts'
import { readMailbox } from '#server/mailbox/read-mailbox.ts'
import { isLong } from '#server/test-length.ts'
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts'
import { type Dovecot, startDovecot } from './dovecot.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

let count = 0
const day = 86_400_000

/** A mail as it lies in a mailbox. */
function mail(
  from: string,
  to: string,
  options: { subject?: string; headers?: string[]; type?: string; body?: string; id?: string } = {},
): string {
  count += 1
  const { subject = `Mail ${count}`, headers = [], body = 'Hello' } = options
  const { type = 'text/plain; charset=utf-8', id = `<${count}-${randomUUID()}@mail.example>` } =
    options
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date(Date.now() - day + count * 1000).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${id}`,
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
    ...headers,
    '',
    body,
  ].join('\n')
}

onAnyDatabase((database) => {
  let dovecot: Dovecot | null = null
  let rule: MailRule
  let owner: Account
  let user: string
  let box: MailAccount
  beforeAll(async () => {
    dovecot = await startDovecot()
    rule = { allowPrivate: true, ...(dovecot ? { trusted: dovecot.certificate } : {}) }
  })
  afterAll(async () => {
    await dovecot?.stop()
  })
  const key = keyFrom(Buffer.from('a key of the tests, which nobody else has'))

  beforeEach(async (context) => {
    if (!dovecot) return context.skip()
    owner = await database().signUp()
    user = `u${randomUUID().slice(0, 8)}`
    const row = await add(owner, 'mail_accounts', {
      address: `${user}@own.example`,
      login: user,
      imap_host: 'localhost',
      imap_port: dovecot.port,
    })
    box = mailAccount.parse(row)
    await keepSecret(database().connection.kysely, box, key.seal(dovecot.password, box))
    await add(owner, 'contacts', { email: 'ada@example.com' })
  })

  const deliver = (...mails: (string | Buffer)[]) => dovecot?.deliver(user, 'INBOX', mails)
  const me = () => box.address

  async function stored(): Promise<MailStore> {
    const found = await storedAccount(database().connection.kysely, box.id)
    if (!found) throw new Error('The account is gone.')
    return mailStore(database().connection.kysely, found)
  }

  /** Reads the mailbox once, and tells how many bytes came. */
  async function read(store?: MailStore, account = box): Promise<number> {
    const client = await openMailbox(account, dovecot?.password ?? '', rule)
    try {
      await readMailbox(client, store ?? (await stored()), new AbortController().signal)
      return client.stats().received
    } finally {
      await closeMailbox(client)
    }
  }

  const mailsOf = () => ok(owner.client.from('mails').select().order('sent_at'))
  const subjects = async () => (await mailsOf()).map(({ subject }) => subject)

  describe('a mailbox is read', () => {
    test('what is new alone; what got new numbers, or was lost half way, is kept once', async () => {
      await deliver(mail('ada@example.com', me(), { subject: 'One' }))
      await read()
      await deliver(mail('ada@example.com', me(), { subject: 'Two' }))
      const seen: number[] = []
      const store = await stored()
      const counting = (envelopes: unknown[]) => {
        seen.push(envelopes.length)
      }
      await read({
        ...store,
        sift: (direction, envelopes) => {
          counting(envelopes)
          return store.sift(direction, envelopes)
        },
      })
      expect(seen).toEqual([1])
      await dovecot?.renumber(user)
      await read()
      expect(await subjects()).toEqual(['One', 'Two'])

      await deliver(
        ...['Three', 'Four', 'Five'].map((subject) => mail('ada@example.com', me(), { subject })),
      )
      const broken = await stored()
      let left = 1
      const failing: MailStore = {
        ...broken,
        async store(each) {
          if (left === 0) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' })
          left -= 1
          await broken.store(each)
        },
      }
      await expect(read(failing)).rejects.toThrow('gone')
      expect(await subjects()).toHaveLength(3)
      await read()
      expect((await subjects()).sort()).toEqual(['Five', 'Four', 'One', 'Three', 'Two'])
    })
    test('of many mails those of known people, with few bytes, and nothing is marked', async () => {
      const [all, known] = isLong ? [2000, 100] : [260, 10]
      const filler = 'x'.repeat(70).concat('\n').repeat(100)
      const mails = Array.from({ length: all }, (_, place) =>
        place % (all / known) === 0
          ? mail('Ada <ada@example.com>', me(), {
              subject: `Known ${place}`,
              type: 'multipart/mixed; boundary=b',
              body: `--b\nContent-Type: text/plain\n\nWords ${place}\n--b\nContent-Type: application/pdf; name=offer.pdf\nContent-Disposition: attachment; filename=offer.pdf\n\n${filler}\n--b--`,
            })
          : mail(`Somebody <s${place}@else.example>`, me(), { body: filler }),
      )
      await deliver(...mails)
      const before = await dovecot?.files(user)
      const nothingKnown: MailStore = {
        ...(await stored()),
        sift: async () => new Set(),
        saveFolder: async () => {},
      }
      const envelopes = await read(nothingKnown)
      const [begun, usedBefore] = [performance.now(), process.cpuUsage()]
      const bytes = (await read()) - envelopes
      const took = performance.now() - begun
      const { user: ours, system } = process.cpuUsage(usedBefore)
      // The console is quiet here.
      const figures = `mailbox of ${all}: ${Math.round(took)} ms, ${bytes} bytes beyond envelopes`
      process.stdout.write(`${figures}\n`)
      const kept = await mailsOf()
      expect(kept).toHaveLength(known)
      expect(kept[0]).toMatchObject({
        body_text: expect.stringMatching(/^Words \d+$/),
        attachments: [{ name: 'offer.pdf', type: 'application/pdf' }],
        direction: 'in',
      })
      // Of the processor, since by the clock a busy machine would fail it: the ten seconds of the issue are printed above.
      expect((ours + system) / 1000).toBeLessThan(10_000)
      expect(bytes).toBeLessThan(2000 * known)
      // Opened read-only, a mail is neither moved out of "new" nor marked as seen.
      const names = (await dovecot?.files(user))?.filter((name) => name.includes(':2,'))
      expect(names?.filter((name) => /:2,.*[A-Z]/.test(name))).toEqual([])
      expect(await dovecot?.files(user)).toHaveLength(before?.length ?? 0)
    }, 120_000)

    test('of the last 90 days, and no further back', async () => {
      for (const days of [91, 89]) {
        const text = mail('ada@example.com', me(), { subject: `${days} days ago` })
        await dovecot?.deliver(user, 'INBOX', [text], new Date(Date.now() - days * day))
      }
      await read()
      expect(await subjects()).toEqual(['89 days ago'])
    })

    test('what was sent, and to whom the user writes', async () => {
      await dovecot?.deliver(user, 'Sent', [
        mail(me(), 'ada@example.com', { subject: 'Sent' }),
        mail(me(), 'Eve <eve@else.example>'),
        mail(me(), 'eve@else.example'),
      ])
      await read()
      expect(await mailsOf()).toMatchObject([{ subject: 'Sent', direction: 'out' }])
      expect(await ok(owner.client.rpc('mail_suggestions'))).toMatchObject([
        { address: 'eve@else.example', name: 'Eve' },
      ])
    })

    test('in all folders but spam, trash and drafts; what lies in two is kept once', async () => {
      const twice = mail('ada@example.com', me(), { subject: 'Twice' })
      await deliver(twice)
      const folders = ['Clients.Acme', 'Archive', 'Junk', 'Trash', 'Trash.Old', 'Drafts']
      for (const folder of folders) {
        const each = mail('ada@example.com', me(), { subject: folder })
        await dovecot?.deliver(user, folder, [each, twice])
      }
      await dovecot?.deliver(user, 'Sent.2025', [mail(me(), 'ada@example.com', { subject: 'Old' })])
      await read()
      expect((await subjects()).sort()).toEqual(['Archive', 'Clients.Acme', 'Old', 'Twice'])
      // A folder without anything new is not opened again.
      const opened: string[] = []
      const store = await stored()
      const saveFolder: MailStore['saveFolder'] = (path, state) => {
        opened.push(path)
        return store.saveFolder(path, state)
      }
      await dovecot?.deliver(user, 'Archive', [mail('ada@example.com', me(), { subject: 'New' })])
      await read({ ...store, saveFolder })
      expect(opened).toEqual(['Archive'])
      expect(await subjects()).toContain('New')
    })

    test('one that the database refuses is kept as far as it can be, and told', async () => {
      await deliver(
        mail('ada@example.com', me(), { subject: 'Odd' }),
        mail('ada@example.com', me()),
      )
      const store = await stored()
      // Longer than any mail that is read, so that the database refuses it.
      const tooLong = 'x'.repeat(2_000_001)
      await read({
        ...store,
        store: (each) =>
          store.store(each.subject === 'Odd' ? { ...each, body_html: tooLong } : each),
      })
      expect(store.unkept).toEqual(['Odd'])
      expect(await mailsOf()).toMatchObject([
        { subject: null, body_html: null, is_cut: true, sender: 'ada@example.com' },
        { body_text: 'Hello' },
      ])
    })

    test('again for whoever gets an address later', async () => {
      await deliver(mail('bob@else.example', me(), { subject: 'From Bob' }))
      await read()
      expect(await subjects()).toEqual([])
      await add(owner, 'contacts', { email: 'Bob@else.example' })
      await read()
      expect(await subjects()).toEqual(['From Bob'])
      expect(await (await stored()).wanted()).toEqual([])
    })

    test('while a process waits there, a mail shows by itself; the state says how it went', async () => {
      if (!dovecot) return
      const job = mailboxJob({
        connection: database().connection,
        key,
        rule,
        onNews: () => () => {},
      })
      const stopping = new AbortController()
      const work = job.work(
        { kind: 'mailbox', key: box.id, account: owner.id, payload: {}, tries: 1 },
        stopping.signal,
      )
      const state = async () =>
        (await ok(owner.client.from('mail_accounts').select('state, problem').single())).state
      await expect.poll(state, { timeout: 20_000 }).toBe('working')
      await deliver(mail('ada@example.com', me(), { subject: 'Just now' }))
      await expect.poll(subjects, { timeout: 30_000 }).toEqual(['Just now'])
      stopping.abort()
      await expect(work).rejects.toThrow()
    }, 60_000)
  })

  describe('whatever a mail holds', () => {
    test('broken MIME is kept as well as it can be read, and holds up nothing', async () => {
      const from = 'ada@example.com'
      await deliver(
        mail(from, me(), {
          subject: '1',
          type: 'multipart/mixed; boundary=never',
          body: 'No part',
        }),
        mail(from, me(), { subject: '2', type: 'nonsense;;;=', body: 'Text' }),
        mail(from, me(), { subject: '3', type: 'text/plain; charset=no-such', body: 'Plain' }),
        mail(from, me(), {
          subject: '4',
          headers: ['Content-Transfer-Encoding: base64'],
          body: '###not base64###',
        }),
        mail(from, me(), { subject: '5', body: 'zero\u0000zero' }),
        mail(from, me(), { subject: '=?utf-8?B?broken', body: 'x' }),
        mail(from, me(), {
          subject: '7',
          type: 'multipart/mixed; boundary=a',
          body: '--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nInner\n',
        }),
        Buffer.from(`From: ${from}\r\nSubject: 8\r\n\r\n`),
        mail(from, me(), { subject: 'Last', body: 'Fine' }),
      )
      await read()
      const kept = await mailsOf()
      expect(kept).toHaveLength(9)
      expect(kept.find(({ subject }) => subject === 'Last')?.body_text).toBe('Fine')
      expect(kept.find(({ subject }) => subject === '3')?.body_text).toBe('Plain')
    })
    const charsets: [charset: string, bytes: number[], text: string][] = [
      ['utf-8', [0xc3, 0xa4], 'ä'],
      ['iso-8859-1', [0xe4], 'ä'],
      ['iso-8859-15', [0xa4], '€'],
      ['windows-1252', [0x80], '€'],
      ['windows-1251', [0xc4, 0xe0], 'Да'],
      ['koi8-r', [0xe4, 0xc1], 'Да'],
      ['shift_jis', [0x93, 0xfa], '日'],
      ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日'],
      ['gb18030', [0xc8, 0xd5], '日'],
      ['euc-kr', [0xc7, 0xd1], '한'],
      ['big5', [0xa4, 0xe9], '日'],
    ]

    test('its letters are read in their charset, in the text, the subject and the name', async () => {
      const word = (charset: string, bytes: number[]) =>
        `=?${charset}?B?${Buffer.from(bytes).toString('base64')}?=`
      const quoted = (charset: string, bytes: number[]) =>
        `=?${charset}?Q?${bytes
          .map((byte) => `=${byte.toString(16).padStart(2, '0')}`)
          .join('')
          .toUpperCase()}?=`
      await deliver(
        ...charsets.map(([charset, bytes]) =>
          mail(`${word(charset, bytes)} <ada@example.com>`, me(), {
            subject: `${charset}: ${word(charset, bytes)} ${quoted(charset, bytes)}`,
            type: `text/plain; charset=${charset}`,
            headers: ['Content-Transfer-Encoding: base64'],
            body: Buffer.from(bytes).toString('base64'),
          }),
        ),
      )
      await read()
      const kept = await mailsOf()
      expect(
        kept.map(({ subject, sender_name, body_text }) => [subject, sender_name, body_text]),
      ).toEqual(charsets.map(([charset, , text]) => [`${charset}: ${text}${text}`, text, text]))
    })

    test('a huge text is cut, and HTML is kept raw with its words beside it', async () => {
      await deliver(
        mail('ada@example.com', me(), { body: 'word '.repeat(200_000) }),
        mail('ada@example.com', me(), {
          type: 'text/html',
          body: '<style>p{}</style><p>Hello&nbsp;<b>you</b></p><script>alert(1)</script>',
        }),
        mail('ada@example.com', me(), { type: 'text/html', body: '<style'.repeat(60_000) }),
      )
      await read()
      const [long, page] = await mailsOf()
      expect(long).toMatchObject({ is_cut: true })
      expect(long?.body_text?.length).toBeLessThan(200_001)
      expect(page).toMatchObject({ body_text: 'Hello you', snippet: 'Hello you' })
      expect(page?.body_html).toContain('<script>')
    })

    test('a forged sender: from the user it is not kept, of others the server’s verdict counts', async () => {
      const fail = 'Authentication-Results: mx.own.example; dmarc=fail header.from=example.com'
      const pass = 'Authentication-Results: forged.example; dmarc=pass'
      await deliver(
        mail(me(), 'ada@example.com', { subject: 'As me' }),
        mail('ada@example.com', me(), { subject: 'Forged', headers: [fail, pass] }),
        mail('ada@example.com', me(), { subject: 'Real', headers: [pass, fail] }),
        mail('ada@example.com', me(), { subject: 'News', headers: ['List-Id: <n.example>'] }),
      )
      await read()
      const kept = await mailsOf()
      expect(
        kept.map(({ subject, is_doubtful, is_automatic }) => [subject, is_doubtful, is_automatic]),
      ).toEqual([
        ['Forged', true, false],
        ['Real', false, false],
        ['News', false, true],
      ])
    })
  })

  describe('nothing is lost, and nothing kept twice', () => {
    let proxy: CuttingProxy
    let far: MailAccount
    beforeEach(async () => {
      if (!dovecot) return
      proxy = await cuttingProxy(dovecot.port)
      far = { ...box, imap_port: proxy.port }
    })
    afterEach(() => proxy?.stop())
    const job = (more: Partial<Parameters<typeof mailboxJob>[0]> = {}) =>
      mailboxJob({
        ...{ connection: database().connection, key, rule, onNews: () => () => {} },
        ...more,
      })
    const asked = () => ({
      ...{ kind: 'mailbox', key: box.id, account: owner.id, payload: {}, tries: 1 },
    })

    test('when the connection is cut at any place of the reading', async () => {
      // What was still looked for would find again what is lost.
      await read()
      expect(await (await stored()).wanted()).toEqual([])
      const body = 'word '.repeat(4000)
      const all = Array.from({ length: 6 }, (_, place) => `Mail no. ${place}`)
      await deliver(...all.map((subject) => mail('ada@example.com', me(), { subject, body })))
      proxy.cutAt()
      await read({ ...(await stored()), store: async () => {}, saveFolder: async () => {} }, far)
      const whole = { ...proxy.passed }
      const steps = isLong ? 40 : 6
      let cuts = 0
      for (const cut of [
        // Instead of each answer, and in the middle of the long ones.
        ...Array.from({ length: whole.pieces }, (_, place) => ({ answerTo: place + 1 })),
        ...Array.from({ length: steps }, (_, place) => ({
          server: Math.round((whole.server * (place + 1)) / steps),
        })),
      ]) {
        proxy.cutAt(cut)
        await read(undefined, far).catch(() => {
          cuts += 1
        })
      }
      expect(cuts).toBeGreaterThan(5)
      proxy.cutAt()
      await read(undefined, far)
      const kept = await mailsOf()
      expect(kept.map(({ subject }) => subject)).toEqual(all)
      expect(kept.map(({ body_text }) => body_text?.length)).toEqual(all.map(() => body.length - 1))
    })

    test('when it is cut during the wait for news: the job ends and comes again soon', async () => {
      await database().query(
        'update public.mail_accounts set imap_port = ? where id = ?',
        proxy.port,
        box.id,
      )
      await keepSecret(database().connection.kysely, far, key.seal(dovecot?.password ?? '', far))
      let reads = 0
      const work = job({
        pace: { poll: 3_600_000 },
        read: async (client, ...rest) => {
          const pass = await readMailbox(client, ...rest)
          reads += 1
          const look = setInterval(() => {
            if (!client.idling) return
            clearInterval(look)
            proxy.cut()
          }, 20)
          onTestFinished(() => clearInterval(look))
          return pass
        },
      }).work(asked(), new AbortController().signal)
      expect(await work).toEqual({ againIn: 5 })
      expect(reads).toBe(1)
      await deliver(mail('ada@example.com', me(), { subject: 'Meanwhile' }))
      await read(undefined, far)
      expect(await subjects()).toEqual(['Meanwhile'])
    })

    test('of what comes after a folder was read, and before news are waited for', async () => {
      await deliver(mail('bob@else.example', me(), { subject: 'Of Bob' }))
      let ring = () => {}
      let reads = 0
      const stopping = new AbortController()
      const work = job({
        // Nothing but what happens here ends the wait.
        pace: { poll: 3_600_000 },
        onNews: (_account, listener) => {
          ring = listener
          return () => {}
        },
        read: async (...all) => {
          const pass = await readMailbox(...all)
          reads += 1
          if (reads === 1) await deliver(mail('ada@example.com', me(), { subject: 'Between' }))
          if (reads === 2) {
            await add(owner, 'contacts', { email: 'bob@else.example' })
            ring()
          }
          return pass
        },
      }).work(asked(), stopping.signal)
      await expect.poll(subjects, { timeout: 20_000 }).toEqual(['Of Bob', 'Between'])
      stopping.abort()
      await expect(work).rejects.toThrow()
      expect(reads).toBe(3)
    })
  })

  describe('an attachment', () => {
    const long = 27 * 1024 * 1024
    test('comes whole out of the mailbox, however large, to its owner alone', async () => {
      const bytes = Buffer.alloc(isLong ? 2 * long : long, 'all of it ')
      const lines = bytes.toString('base64').replace(/.{76}/g, '$&\n')
      await deliver(
        mail('ada@example.com', me(), {
          type: 'multipart/mixed; boundary=x',
          body: [
            ...['--x', 'Content-Type: text/plain', '', 'See the plan', '--x'],
            'Content-Type: application/pdf; name="plan.pdf"',
            'Content-Disposition: attachment; filename="plan.pdf"',
            ...['Content-Transfer-Encoding: base64', '', lines, '--x--', ''],
          ].join('\n'),
        }),
      )
      await read()
      const [stored] = await mailsOf()
      const [file] = (stored?.attachments ?? []) as { part: string; name: string }[]
      expect(file).toMatchObject({ name: 'plan.pdf' })
      const desk = openMailDesk({ connection: database().connection, key, rule })
      onTestFinished(() => desk.close())
      const other = await database().signUp()
      const id = stored?.id ?? ''
      expect(await desk.attachment(other.id, id, file?.part ?? '')).toBeNull()
      expect(await desk.attachment(owner.id, randomUUID(), file?.part ?? '')).toBeNull()
      expect(await desk.attachment(owner.id, id, '1')).toBeNull()
      const opened = await desk.attachment(owner.id, id, file?.part ?? '')
      const hash = createHash('sha256')
      for await (const piece of opened?.content ?? []) hash.update(piece)
      expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
      // Also while the mailbox rests: whoever opens it means it.
      await ok(
        owner.client.from('mail_accounts').update({ is_paused: true }).eq('id', box.id).select(),
      )
      const resting = await desk.attachment(owner.id, id, file?.part ?? '')
      expect(resting).not.toBeNull()
      await resting?.content.cancel()
    }, 60_000)
  })

  test('an attachment is found where its mail lies by now: moved, renumbered, connected anew', async () => {
    await deliver(
      mail('ada@example.com', me(), {
        type: 'multipart/mixed; boundary=x',
        body: [
          ...['--x', 'Content-Type: text/plain', '', 'See the plan', '--x'],
          'Content-Disposition: attachment; filename="plan.txt"',
          ...['', 'the plan', '--x--', ''],
        ].join('\n'),
      }),
    )
    await read()
    const [stored] = await mailsOf()
    const desk = openMailDesk({ connection: database().connection, key, rule })
    onTestFinished(() => desk.close())
    const opened = async () => {
      const file = await desk.attachment(owner.id, stored?.id ?? '', '2')
      return file && (await new Response(file.content).text()).trim()
    }
    const placeOf = async () => {
      const [{ account_id, folder, uid } = {}] = await mailsOf()
      return { account_id, folder, uid }
    }
    expect(await opened()).toBe('the plan')
    const client = await openMailbox(box, dovecot?.password ?? '', rule)
    await client.mailboxCreate('Archive')
    await client.mailboxOpen('INBOX')
    await client.messageMove('1:*', 'Archive', { uid: true })
    await closeMailbox(client)
    expect(await opened()).toBe('the plan')
    expect(await placeOf()).toMatchObject({ folder: 'Archive' })
    // The next time it is not looked for; and numbers that another mailbox gave say nothing.
    await database().query(
      'update public.mails set folder_validity = folder_validity + 1, uid = 77 where user_id = ?',
      owner.id,
    )
    expect(await opened()).toBe('the plan')
    // The account was removed with its mails kept, and is connected again.
    await ok(owner.client.rpc('remove_mail_account', { id: box.id, with_mails: false }))
    expect(await opened()).toBeNull()
    const { id: _id, user_id: _owner, ...columns } = box
    const again = mailAccount.parse(await add(owner, 'mail_accounts', columns))
    await keepSecret(database().connection.kysely, again, key.seal(dovecot?.password ?? '', again))
    expect(await opened()).toBe('the plan')
    expect(await placeOf()).toMatchObject({ account_id: again.id, folder: 'Archive' })
  })

  test('an account that is edited while it is read is not read over the old connection', async () => {
    await deliver(mail('ada@example.com', me(), { subject: 'Of the old mailbox' }))
    let ring = () => {}
    let reads = 0
    const stopping = new AbortController()
    const ended = await mailboxJob({
      ...{ connection: database().connection, key, rule },
      onNews: (_account, listener) => {
        ring = listener
        return () => {}
      },
      read: async (client, store, signal) => {
        reads += 1
        await ok(
          owner.client
            .from('mail_accounts')
            .update({ address: `new-${me()}`, imap_host: 'other.example' })
            .eq('id', box.id)
            .select(),
        )
        ring()
        await expect.poll(() => signal.aborted).toBe(true)
        return readMailbox(client, store, signal)
      },
    }).work(
      { kind: 'mailbox', key: box.id, account: owner.id, payload: {}, tries: 1 },
      stopping.signal,
    )
    expect(ended).toEqual({ againIn: 0 })
    expect(reads).toBe(1)
    expect(await mailsOf()).toEqual([])
    expect(await ok(owner.client.from('mail_accounts').select().single())).not.toMatchObject({
      state: 'working',
    })
  })

  test('of several addresses of a server the next is asked where nobody answers', async () => {
    const several = {
      ...rule,
      // Nobody answers at the first.
      resolve: async () => [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    }
    const client = await openMailbox(box, dovecot?.password ?? '', several)
    expect(client.usable).toBe(true)
    await closeMailbox(client)
    await expect(openMailbox(box, 'wrong', several)).rejects.toThrow()
    const refused = openMailbox(box, dovecot?.password ?? '', { ...several, allowPrivate: false })
    await expect(refused).rejects.toThrow(/private network/)
  })

  describe('a connection that fails', () => {
    const problem = (changes: Partial<MailAccount>, password: string, trust = rule) =>
      openMailbox({ ...box, ...changes }, password, trust).then(
        async (client) => {
          await closeMailbox(client)
          return 'none'
        },
        (error: unknown) => mailProblemOf(error),
      )

    test('says what is wrong: password, certificate, port, name, encryption, private network', async () => {
      if (!dovecot) return
      const { password, startTlsPort, port } = dovecot
      expect(await problem({}, password)).toBe('none')
      expect(await problem({ imap_port: startTlsPort, imap_security: 'starttls' }, password)).toBe(
        'none',
      )
      expect(await problem({}, 'wrong')).toBe('password')
      expect(await problem({}, password, { allowPrivate: true })).toBe('certificate')
      expect(await problem({ imap_host: '127.0.0.1' }, password)).toBe('certificate')
      expect(await problem({ imap_port: 1 }, password)).toBe('port')
      expect(await problem({ imap_host: 'no-such-host.invalid' }, password)).toBe('name')
      expect(await problem({ imap_port: startTlsPort }, password)).toBe('security')
      expect(await problem({}, password, { allowPrivate: false })).toBe('private')
      expect(port).toBeGreaterThan(0)
    }, 60_000)

    test('a row that was led elsewhere, or a lost key, never sends the password', async () => {
      const found = await storedAccount(database().connection.kysely, box.id)
      const secret = found?.secret ?? ''
      expect(secret).not.toContain(dovecot?.password)
      expect(key.open(secret, box)).toBe(dovecot?.password)
      for (const changes of [
        { imap_host: 'evil.example' },
        { smtp_host: 'evil.example' },
        { imap_security: 'starttls' as const },
        { login: 'other' },
        { id: randomUUID() },
      ]) {
        expect(key.open(secret, { ...box, ...changes })).toBeNull()
      }
      const other = keyFrom(Buffer.from('another key'))
      expect(other.open(secret, box)).toBeNull()
      // In the middle: the last letter of base64 may stand for the same bytes as another one.
      const place = secret.length >> 1
      const another = secret[place] === 'A' ? 'B' : 'A'
      const damaged = secret.slice(0, place) + another + secret.slice(place + 1)
      expect(key.open(damaged, box)).toBeNull()

      await ok(
        owner.client
          .from('mail_accounts')
          .update({ imap_host: '127.0.0.1' })
          .eq('id', box.id)
          .select(),
      )
      const job = mailboxJob({
        connection: database().connection,
        key,
        rule,
        onNews: () => () => {},
      })
      const { signal } = new AbortController()
      const work = { kind: 'mailbox', key: box.id, account: owner.id, payload: {}, tries: 1 }
      expect(await job.work(work, signal)).toBeUndefined()
      expect(await ok(owner.client.from('mail_accounts').select().single())).toMatchObject({
        state: 'locked',
        problem: expect.stringContaining('Enter the password again'),
      })
    })
  })
})
