import type { App } from '@supabase/lite'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type AuthMailer, createAuthMailer } from './auth-mailer.ts'
import type { Letter } from './message.ts'

const siteUrl = 'https://crm.example'
const userId = '4b7b0b4e-0000-4000-8000-000000000001'

function mailer() {
  const sent: Letter[] = []
  const auth = createAuthMailer({
    siteUrl,
    send: async (message) => {
      sent.push(message)
    },
  })
  return { auth, sent }
}

describe('createAuthMailer', () => {
  it('is what @supabase/lite takes for a mailer', () => {
    expectTypeOf<AuthMailer>().toExtend<NonNullable<App['_mailer']>>()
  })

  it.each([
    ['sendConfirmation', 'signup', 'Confirm your email address for Solo CRM'],
    ['sendRecovery', 'recovery', 'Set a new password for Solo CRM'],
    ['sendMagicLink', 'magiclink', 'Sign in to Solo CRM'],
    ['sendEmailChange', 'email_change', 'Confirm your new email address for Solo CRM'],
  ] as const)('%s links to the page that asks to confirm a %s', async (method, type, subject) => {
    const { auth, sent } = mailer()
    await auth[method]('ada@example.com', 'a+b&c', '123456', { userId })
    const [message] = sent
    const link = `https://crm.example/auth#token_hash=a%2Bb%26c&type=${type}`
    expect(message).toMatchObject({ account: userId, kind: type, validSeconds: 3600 })
    expect(message?.to).toBe('ada@example.com')
    expect(message?.subject).toBe(subject)
    expect(message?.text).toContain(link)
    expect(message?.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
    for (const words of [message?.text, message?.html]) {
      expect(words).toContain('1 hour')
      expect(words).toContain('If you didn’t ask for this')
    }
  })

  it('tells the old and the new address of a change', async () => {
    const { auth, sent } = mailer()
    await auth.sendEmailChange('old@example.com', 't', '1', {
      userId,
      currentEmail: 'old@example.com',
      newEmail: 'new@example.com',
    })
    expect(sent[0]?.text).toContain('from old@example.com to new@example.com')
  })

  it('sends a code where there is nothing to open', async () => {
    const { auth, sent } = mailer()
    await auth.sendReauthentication('ada@example.com', '123456', { userId })
    expect(sent[0]?.text).toContain('123456')
    expect(sent[0]?.html).not.toContain('href')
  })

  it('escapes what a stranger may have typed and loads nothing', async () => {
    const { auth, sent } = mailer()
    await auth.sendConfirmation(`"><img/src=x>'@example.com`, 't', '1', { userId })
    const html = sent[0]?.html ?? ''
    expect(html).toContain('&quot;&gt;&lt;img/src=x&gt;&#39;@example.com')
    expect(html).not.toMatch(/<img|<link|<script|url\(|@import/)
    expect(html.match(/https?:\/\/[^/"&\s<]+/g)?.every((origin) => origin === siteUrl)).toBe(true)
  })
})
