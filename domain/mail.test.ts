import { describe, expect, it } from 'vitest'
import { mailTitle, quoteOf } from './mail.ts'
import { mailProblemOf, mailProblemWords } from './mail-problems.ts'
import { mailProvider } from './mail-providers.ts'

const mail = {
  direction: 'in' as const,
  sender: 'ada@example.com',
  sender_name: 'Ada',
  recipients: [],
  is_automatic: false,
}

describe('mailTitle', () => {
  it('says who wrote to whom', () => {
    expect(mailTitle(mail)).toBe('Ada wrote')
    expect(mailTitle({ ...mail, sender_name: null })).toBe('ada@example.com wrote')
    expect(mailTitle({ ...mail, is_automatic: true })).toBe('Automatic email from Ada')
    const recipients = ['a@x', 'b@x', 'c@x', 'd@x'].map((address) => ({ name: '', address }))
    expect(mailTitle({ ...mail, direction: 'out', recipients })).toBe(
      'You wrote to a@x, b@x and 2 more',
    )
  })
})

describe('quoteOf', () => {
  it('takes off what a mail quotes at its end, with the line that says so', () => {
    expect(quoteOf('Yes.\n\nOn Monday Ada wrote:\n> Shall we?\n> Ada\n')).toEqual({
      own: 'Yes.',
      quoted: 'On Monday Ada wrote:\n> Shall we?\n> Ada',
    })
  })
  it('leaves answers between the lines, and mails without a quote, as they are', () => {
    expect(quoteOf('> Shall we?\nYes.')).toEqual({ own: '> Shall we?\nYes.', quoted: '' })
    expect(quoteOf('Hello:\n\n')).toEqual({ own: 'Hello:\n\n', quoted: '' })
  })
})

describe('mailProvider', () => {
  it('knows an address by its domain, and a customer’s domain by where its mail goes', () => {
    expect(mailProvider('GMAIL.com')?.name).toBe('Gmail')
    expect(mailProvider('acme.example', ['aspmx.l.google.com'])?.name).toBe('Gmail')
    expect(
      mailProvider('acme.example', ['acme-example.mail.protection.outlook.com']),
    ).toMatchObject({ isOAuthOnly: true })
    expect(mailProvider('acme.example', ['mx.evilgoogle.com'])).toBeNull()
  })
})

describe('mailProblemOf', () => {
  it.each([
    [{ code: 'ENOTFOUND' }, 'name'],
    [{ name: 'NameUnknown' }, 'name'],
    [{ name: 'AddressRefused' }, 'private'],
    [{ code: 'ECONNREFUSED' }, 'port'],
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'port'],
    [{ code: 'CONNECT_TIMEOUT' }, 'slow'],
    [{ code: 'ETIMEDOUT', message: 'Greeting never received' }, 'security'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'certificate'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'security'],
    [{ authenticationFailed: true }, 'password'],
    [{ code: 'EAUTH', message: 'Basic authentication is disabled' }, 'oauth'],
    [{ code: 'ECONNRESET' }, 'lost'],
    [new Error('whatever'), 'refused'],
    [null, 'refused'],
  ])('%o is told as %s', (error, expected) => {
    expect(mailProblemOf(error)).toBe(expected)
    expect(mailProblemWords(mailProblemOf(error), 'imap.example.com', 993)).toMatch(/\.$/)
  })
})
