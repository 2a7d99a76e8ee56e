import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSmtp, type TestSmtp } from '../test-smtp.ts'
import type { MailAccount } from './account.ts'
import type { MailRule } from './connect.ts'
import { testServers } from './test-servers.ts'

// What the reading side says is tested with a real Dovecot: supabase/tests/mailbox.test.ts.

let tls: TestSmtp
let startTls: TestSmtp
let rule: MailRule
beforeAll(async () => {
  tls = await startSmtp()
  startTls = await startSmtp({ isStartTls: true })
  rule = { allowPrivate: true, trusted: `${tls.certificate}\n${startTls.certificate}` }
})
afterAll(async () => {
  await tls.stop()
  await startTls.stop()
})

async function words(
  changes: Partial<MailAccount>,
  password = tls.password,
  trust = rule,
): Promise<string | null> {
  const account: MailAccount = {
    id: randomUUID(),
    user_id: randomUUID(),
    address: 'me@own.example',
    login: null,
    // Nobody listens there.
    imap_host: 'localhost',
    imap_port: 1,
    imap_security: 'tls',
    smtp_host: 'localhost',
    smtp_port: tls.port,
    smtp_security: 'tls',
    ...changes,
  }
  return (await testServers(account, password, trust)).smtp
}

test('a server for sending that works, in both kinds of encryption; or none', async () => {
  expect(await words({})).toBeNull()
  expect(await words({ smtp_port: startTls.port, smtp_security: 'starttls' })).toBeNull()
  expect(await words({ smtp_host: null })).toBeNull()
  expect(tls.mails).toEqual([])
})

test('what is wrong is told in words: name, port, certificate, password, encryption, private', async () => {
  expect(await words({ smtp_host: 'no-such-host.invalid' })).toMatch(/can’t be found/)
  expect(await words({ smtp_port: 1 })).toMatch(/doesn’t answer on port 1/)
  const before = tls.counts.logins
  expect(await words({}, tls.password, { allowPrivate: true })).toMatch(/password wasn’t sent/)
  expect(await words({ smtp_host: '127.0.0.1' })).toMatch(/certificate of 127.0.0.1/)
  expect(await words({}, tls.password, { ...rule, allowPrivate: false })).toMatch(/private network/)
  expect(await words({ smtp_port: startTls.port })).toMatch(/other kind of encryption/)
  expect(tls.counts.logins).toBe(before)
  expect(await words({}, 'wrong')).toMatch(/refused the user name or the password/)
  tls.behave({ login: { code: 535, words: '5.7.139 Basic authentication is disabled' } })
  expect(await words({})).toMatch(/only allows OAuth/)
  tls.behave()
}, 20_000)

test('a server that offers no encryption, or ends at once, gets no password', async () => {
  const { createServer } = await import('node:net')
  const heard: string[] = []
  const plain = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (reported) => {
      heard.push(String(reported))
      socket.write(
        /^EHLO/i.test(String(reported)) ? '250-here\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n',
      )
    })
    socket.write('220 here ESMTP\r\n')
  })
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', () => resolve()))
  const address = plain.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await words({ smtp_port: port, smtp_security: 'starttls' })).toMatch(
    /other kind of encryption/,
  )
  expect(heard.join('')).not.toMatch(/AUTH|right-password/)
  plain.close()

  const silent = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()))
  const other = silent.address()
  const silentPort = typeof other === 'object' && other ? other.port : 0
  expect(await words({ smtp_port: silentPort })).toMatch(/other kind of encryption|was lost/)
  silent.close()
}, 20_000)
