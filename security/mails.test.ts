import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { rawRequest } from '#server/test-server.ts'
import { keys } from '../supabase/tests/test-keys.ts'
import { type Asked, ask, expectSound, signUp } from './attacker.ts'

// What a letter refuses by itself: server/mail/mailbox.test.ts. Here what reaches it over HTTP.

const { address, dataDir } = inject('attacked')

/** All mails about this person, or with this text, as they were sent; newest last. */
function mailsWith(text: string): string[] {
  const folder = join(dataDir, 'outbox')
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'latin1').replaceAll('=\r\n', ''))
    .filter((mail) => mail.includes(text))
}

/** The address that a mail asks to open. */
function linkIn(mail = ''): URL {
  const [link = ''] = /http\S+\/auth#\S+/.exec(mail.replaceAll('=3D', '=')) ?? []
  return new URL(link)
}

let count = 0
const recover = (email: string, search = '', body: object = {}) => {
  count += 1
  const from = `172.20.0.${count}`
  return ask(`/auth/v1/recover${search}`, { method: 'POST', body: { email, ...body }, from })
}

const elsewhere = [
  'https://evil.example',
  '//evil.example',
  '\\\\evil.example',
  `${address}@evil.example`,
  `${address}.evil.example`,
  `${address}/../..//evil.example`,
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  `${address}\r\nLocation: https://evil.example`,
]

describe('a link in a mail leads home, wherever it was asked to lead', () => {
  test.each(elsewhere)('redirect_to=%s', async (target) => {
    const { email } = await signUp()
    const search = `?redirect_to=${encodeURIComponent(target)}`
    expectSound(await recover(email, search, { redirect_to: target }), target)
    const [mail] = mailsWith(email)
    const link = linkIn(mail)
    expect(link.origin + link.pathname + link.search).toBe(`${address}/auth`)
    const parameters = new URLSearchParams(link.hash.slice(1))
    expect([...parameters.keys()]).toEqual(['token_hash', 'type'])

    // Nor does the link of an older mail, whatever whoever rewrites it makes of it.
    const old = new URLSearchParams({ token: target, type: target, redirect_to: target })
    const answer = await ask(`/auth/v1/verify?${old}`, { from: `172.21.0.${count}` })
    expect(answer.status).toBe(303)
    const leads = new URL(answer.headers.get('location') ?? '', address)
    expect(leads.origin + leads.pathname + leads.search).toBe(`${address}/auth`)
  })

  test('whatever host the request names', async () => {
    const { email } = await signUp()
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '172.22.0.1',
      apikey: keys.publishableKey,
      'content-type': 'application/json',
    }
    const port = Number(new URL(address).port)
    const body = JSON.stringify({ email })
    await rawRequest(port, '/auth/v1/recover', { method: 'POST', headers, body })
    const [mail = ''] = mailsWith(email)
    expect(linkIn(mail).origin).toBe(address)
    expect(mail).not.toContain('evil.example')
  })
})

describe('an address that smuggles in headers or recipients is refused with 400, and no mail goes out', () => {
  test.each([
    '\r\nBcc: eve@evil.example',
    '\nBcc: eve@evil.example',
    ',eve@evil.example',
    ' <eve@evil.example>',
    ';eve@evil.example',
    '\u2028Bcc: eve@evil.example',
    '%0d%0aBcc: eve@evil.example',
  ])('%j', async (smuggled) => {
    const { email, token } = await signUp()
    const body = { email: email + smuggled, password: 'secret-1' }
    const ways: [string, Asked][] = [
      ['recover', { method: 'POST' }],
      ['otp', { method: 'POST' }],
      ['signup', { method: 'POST' }],
      ['user', { method: 'PUT', token }],
    ]
    for (const [path, asked] of ways) {
      count += 1
      const answer = await ask(`/auth/v1/${path}`, { ...asked, body, from: `172.23.0.${count}` })
      expect([answer.status, answer.json], path).toMatchObject([
        400,
        { error_code: 'validation_failed' },
      ])
    }
    expect(mailsWith('eve@')).toEqual([])
  })
})
