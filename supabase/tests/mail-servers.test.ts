import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OutboxMail, outbox } from '#domain/outgoing-mail.ts'
import { mailAccount } from '#server/mailbox/account.ts'
import { closeMailbox, type MailRule, openMailbox } from '#server/mailbox/connect.ts'
import { keyFrom } from '#server/mailbox/mail-key.ts'
import { keepSecret, mailStore, storedAccount } from '#server/mailbox/mail-store.ts'
import { outboxJob } from '#server/mailbox/outbox-job.ts'
import { readMailbox } from '#server/mailbox/read-mailbox.ts'
import { testServers } from '#server/mailbox/test-servers.ts'
import { isLong } from '#server/test-length.ts'
import { type Dovecot, startDovecot } from './dovecot.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { type Postfix, startPostfix } from './postfix.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let dovecot: Dovecot | null = null
  let postfix: Postfix | null = null
  let rule: MailRule
  const key = keyFrom(Buffer.from('a key of the tests, which nobody else has'))
  beforeAll(async () => {
    dovecot = await startDovecot()
    postfix = dovecot && (await startPostfix(dovecot))
    rule = {
      allowPrivate: true,
      trusted: `${dovecot?.certificate ?? ''}\n${postfix?.certificate ?? ''}`,
    }
  })
  afterAll(async () => {
    await postfix?.stop()
    await dovecot?.stop()
  })

  /** Somebody with a mailbox of their own. */
  async function person(user: 'ada' | 'bob', changes: object = {}) {
    const owner = await database().signUp()
    const row = await add(owner, 'mail_accounts', {
      address: `${user}@own.example`,
      name: `Name of ${user}`,
      login: user,
      imap_host: 'localhost',
      imap_port: dovecot?.port ?? 1,
      smtp_host: 'localhost',
      smtp_port: postfix?.port ?? 1,
      ...changes,
    })
    const box = mailAccount.parse(row)
    const { kysely } = database().connection
    await keepSecret(kysely, box, key.seal(dovecot?.password ?? '', box))
    return { owner, box }
  }
  type Person = Awaited<ReturnType<typeof person>>
  let ada: Person
  beforeEach(async (context) => {
    if (!postfix) return context.skip()
    ada = await person('ada')
  })

  /** Writes a mail and lets it leave. */
  async function send({ owner, box }: Person, to: string, text = 'Dear Bob', trust = rule) {
    await ok(
      owner.client.rpc('plan_mails', {
        mails: [
          {
            ...{ account: box.id, to: [{ address: to }], cc: [], bcc: [], subject: 'Größe', text },
            ...{ html: null, files: [], answers: null, deal: null, follow_up_days: null },
            send_at: null,
          },
        ],
      }),
    )
    await database().query(
      "update private.outgoing_mails set held_until = '-infinity', send_at = now() where user_id = ? and state = 'planned'",
      owner.id,
    )
    const job = outboxJob({ connection: database().connection, key, rule: trust })
    await job.work(
      { kind: 'outbox', key: box.id, account: owner.id, payload: {}, tries: 1 },
      new AbortController().signal,
    )
  }

  async function read({ box }: Person) {
    const { kysely } = database().connection
    const stored = await storedAccount(kysely, box.id)
    if (!stored) throw new Error('The account is gone.')
    const client = await openMailbox(box, dovecot?.password ?? '', rule)
    try {
      await readMailbox(client, mailStore(kysely, stored), new AbortController().signal)
    } finally {
      await closeMailbox(client)
    }
  }
  const shown = async ({ client }: Account): Promise<OutboxMail[]> =>
    outbox.parse(await ok(client.rpc('outbox'))).mails
  const problemOf = async ({ owner }: Person) =>
    (await shown(owner)).map(({ state, problem }) => [state, problem])

  test('a mail goes from one mailbox through a real server to another', async () => {
    const bob = await person(
      'bob',
      isLong ? {} : { smtp_port: postfix?.startTlsPort, smtp_security: 'starttls' },
    )
    await add(bob.owner, 'contacts', { email: ada.box.address })
    await send(ada, bob.box.address, 'Grüße\n.\nfrom here')
    expect(await shown(ada.owner)).toEqual([])
    await expect
      .poll(
        async () => {
          await read(bob)
          return ok(bob.owner.client.from('mails').select())
        },
        { timeout: 20_000 },
      )
      .toMatchObject([
        {
          subject: 'Größe',
          body_text: 'Grüße\n.\nfrom here',
          sender: ada.box.address,
          sender_name: 'Name of ada',
          direction: 'in',
        },
      ])
  })
  if (!isLong) return

  test('whom it does not know, whose mailbox is full, and what is too large fails in its own words', async () => {
    await send(ada, 'gone@own.example')
    expect(await problemOf(ada)).toEqual([
      ['failed', expect.stringMatching(/localhost refused: “550 5\.1\.1 .*unknown/)],
    ])
    const second = await person('ada')
    await send(second, 'full@own.example')
    expect(await problemOf(second)).toEqual([
      ['failed', expect.stringMatching(/refused: “552 5\.2\.2 .*mailbox is full/i)],
    ])
    const third = await person('ada')
    await send(third, 'bob@own.example', 'long '.repeat((postfix?.mostBytes ?? 0) / 4))
    expect(await problemOf(third)).toEqual([
      ['failed', expect.stringMatching(/doesn’t take emails this large/)],
    ])
  })

  test('with a certificate that nobody trusts nothing is sent, and a wrong password is told', async () => {
    for (const more of [{}, { smtp_port: postfix?.startTlsPort, smtp_security: 'starttls' }]) {
      const each = await person('ada', more)
      await send(each, ada.box.address, 'Hello', { allowPrivate: true })
      expect(await problemOf(each)).toEqual([
        ['planned', expect.stringMatching(/certificate.*password wasn’t sent/)],
      ])
      const tested = (password: string) => testServers(each.box, password, rule)
      expect(await tested(dovecot?.password ?? '')).toEqual({ imap: null, smtp: null })
      expect((await tested('wrong')).smtp).toMatch(/refused the user name or the password/)
    }
  })
})
