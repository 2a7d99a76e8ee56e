import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressOf, readSettings, SettingsError } from './settings.ts'

function messageFor(env: Record<string, string>): string {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'accepted'
}

describe('readSettings', () => {
  it('needs no setting at all', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      publicUrl: 'http://127.0.0.1:3000',
      backend: { kind: 'embedded' },
      smtpUrl: null,
      mailFrom: 'Solo CRM <no-reply@localhost>',
      confirmEmail: false,
      trustedProxies: 0,
      statementLimit: 10_000,
      files: { each: 25, account: 2048 },
      connectionsPerAddress: 250,
      allowPrivateAddresses: false,
      mailKey: null,
      limits: {
        windowSeconds: 900,
        signIn: 20,
        signUp: 10,
        mail: 5,
        form: 10,
        perAddress: 6000,
        perAccount: 3000,
      },
    })
  })

  it('takes an empty value for none', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: ' ', CONFIRM_EMAIL: '' })).toEqual(
      readSettings({}),
    )
  })

  it.each([
    ['PORT', '80a', 'PORT is "80a": expected a whole number from 0 to 65535'],
    ['PORT', '65536', 'PORT is "65536": expected a whole number from 0 to 65535'],
    ['PORT', '-1', 'PORT is "-1": expected a whole number from 0 to 65535'],
    ['HOST', 'a b', 'HOST is "a b": expected an IP address or a host name'],
    ['PUBLIC_URL', 'https://a.example/crm', 'PUBLIC_URL is "https://a.example/crm": expected'],
    ['PUBLIC_URL', 'ftp://a.example', 'PUBLIC_URL is "ftp://a.example": expected an http'],
    ['CONFIRM_EMAIL', 'yes', 'CONFIRM_EMAIL is "yes": expected true or false'],
    ['TRUST_PROXY', 'maybe', 'TRUST_PROXY is "maybe": expected true, false or the number'],
    ['RATE_LIMIT_SIGN_IN', '0', 'RATE_LIMIT_SIGN_IN is "0": expected a whole number from 1'],
    ['RATE_LIMIT_WINDOW_SECONDS', '86401', 'RATE_LIMIT_WINDOW_SECONDS is "86401": expected'],
    ['SUPABASE_URL', 'abc.supabase.co', 'SUPABASE_URL is "abc.supabase.co": expected the address'],
    ['MAIL_FROM', 'nobody', 'MAIL_FROM is "nobody": expected one line'],
    ['FILE_MEGABYTES', '101', 'expected a whole number from 1 to 100'],
    [
      'FILE_QUOTA_MEGABYTES',
      '24',
      'FILE_QUOTA_MEGABYTES is "24": expected at least FILE_MEGABYTES, 25',
    ],
  ])('names %s when it is %s', (name, value, expected) => {
    const message = messageFor({ [name]: value })
    expect(message).toContain(expected)
    expect(message).not.toContain('\n')
  })

  it.each([
    ['DATABASE_URL', 'mysql://crm:hunter2@db/crm'],
    ['SMTP_URL', 'http://crm:hunter2@mail'],
    ['SUPABASE_ANON_KEY', 'hunter2 hunter2'],
    ['SUPABASE_URL', 'https://crm:hunter2@abc.supabase.co'],
    ['PUBLIC_URL', 'https://crm:hunter2@crm.example'],
  ])('never prints what %s holds', (name, value) => {
    const message = messageFor({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name} .*expected`))
    expect(message).not.toContain('hunter2')
  })

  it('refuses a sender that brings headers of its own', () => {
    expect(messageFor({ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' })).toMatch(/^MAIL_FROM/)
    expect(messageFor({ MAIL_FROM: 'a@b.example, c@d.example' })).toMatch(/^MAIL_FROM/)
  })

  it('knows the three ways to run and refuses a mixture', () => {
    const project = { SUPABASE_URL: 'https://abc.supabase.co/', SUPABASE_ANON_KEY: 'key' }
    const database = { DATABASE_URL: 'postgresql://u:p@db:5432/crm' }
    expect(readSettings(project).backend).toEqual({
      kind: 'supabase',
      url: 'https://abc.supabase.co',
      anonKey: 'key',
    })
    expect(readSettings(database).backend).toEqual({
      kind: 'postgres',
      url: 'postgresql://u:p@db:5432/crm',
    })
    expect(messageFor({ ...project, ...database })).toMatch(/^DATABASE_URL .*one way to run/)
    expect(messageFor({ SUPABASE_URL: 'https://a.example' })).toMatch(/^SUPABASE_ANON_KEY is not/)
    expect(messageFor({ SUPABASE_ANON_KEY: 'key' })).toMatch(/^SUPABASE_URL is not set/)
  })

  it('confirms addresses exactly when mail can be sent, unless told otherwise', () => {
    const smtp = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'crm@mail.example' }
    expect(readSettings(smtp).confirmEmail).toBe(true)
    expect(readSettings({ ...smtp, CONFIRM_EMAIL: 'false' }).confirmEmail).toBe(false)
    expect(readSettings({ CONFIRM_EMAIL: 'true' }).confirmEmail).toBe(true)
    expect(messageFor({ SMTP_URL: 'smtp://mail.example' })).toMatch(/^MAIL_FROM is not set/)
  })

  it('reads the proxies and the public address', () => {
    expect(readSettings({ TRUST_PROXY: 'true' }).trustedProxies).toBe(1)
    expect(readSettings({ TRUST_PROXY: 'false' }).trustedProxies).toBe(0)
    expect(readSettings({ TRUST_PROXY: '2' }).trustedProxies).toBe(2)
    expect(readSettings({ PUBLIC_URL: 'https://CRM.example/' }).publicUrl).toBe(
      'https://crm.example',
    )
    expect(readSettings({ HOST: '::1', PORT: '8080' }).publicUrl).toBe('http://[::1]:8080')
    expect(addressOf('0.0.0.0', 80)).toBe('http://127.0.0.1:80')
  })
})
