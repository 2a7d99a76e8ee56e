import { describe, expect, it } from 'vitest'
import { paceOf, storesSentMails } from './mail-providers.ts'
import { sendProblemOf } from './send-problems.ts'

const answer = (response: string, command: string) => ({
  code: 'EENVELOPE',
  responseCode: Number(response.slice(0, 3)),
  response,
  command,
})

describe('sendProblemOf', () => {
  it.each([
    // What the server says of this mail.
    ['final', 'mail', answer('550 5.1.1 No such user', 'RCPT TO')],
    ['final', 'mail', answer('554 5.7.1 Spam', 'DATA')],
    ['final', 'mail', answer('552 5.3.4 Too large', 'MAIL FROM')],
    ['final', 'mail', { code: 'EMESSAGE' }],
    ['final', 'mail', { code: 'EENVELOPE' }],
    ['again', 'mail', answer('451 4.7.1 Greylisted', 'RCPT TO')],
    // What it says of the account, or of itself.
    ['again', 'account', answer('421 4.3.2 Shutting down', 'RCPT TO')],
    ['again', 'account', answer('454 4.7.0 Too many logins', 'CONN')],
    ['again', 'account', answer('550-5.4.5 Daily sending limit exceeded', 'DATA')],
    // The same in words alone: of iCloud, Exchange and hosters.
    ['again', 'account', answer('550 5.7.1 You have exceeded your daily sending limit.', 'DATA')],
    ['again', 'account', answer('554 5.2.0 STOREDRV SubmissionQuotaExceededException', 'DATA')],
    ['again', 'account', answer('550 a.example has exceeded the max emails per hour', 'DATA')],
    ['again', 'account', answer('554 5.7.1 limit of 400 rcpts per 24 hours reached', 'RCPT TO')],
    // Of the mail, or of whoever gets it.
    ['final', 'mail', answer('552 5.3.4 Message size exceeds fixed limit', 'DATA')],
    ['final', 'mail', answer('552 5.2.2 Mailbox quota exceeded', 'RCPT TO')],
    ['final', 'account', { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 No' }],
    ['again', 'account', { code: 'EAUTH', responseCode: 454, response: '454 4.7.0 Later' }],
    ['again', 'account', { code: 'ESOCKET', originalCode: 'ECONNREFUSED' }],
    ['again', 'account', { code: 'ECONNECTION' }],
    ['again', 'account', { name: 'NameUnknown' }],
    ['again', 'account', null],
  ])('%s, of the %s: %o', (end, whose, error) => {
    const { words, isFinal, isOfAccount } = sendProblemOf(error, 'smtp.example.com', 465)
    expect([isFinal ? 'final' : 'again', isOfAccount ? 'account' : 'mail']).toEqual([end, whose])
    expect(words).toMatch(isFinal ? /It wasn’t sent/ : /Retrying automatically\.$/)
  })

  it('shows what the server said on one line, and not too much of it', () => {
    const reported = `550 ${'no\r\n'.repeat(500)}`
    const { words } = sendProblemOf(answer(reported, 'DATA'), 'smtp.example.com', 465)
    expect(words).not.toMatch(/[\r\n]/)
    expect(words.length).toBeLessThan(400)
  })
})

describe('paceOf', () => {
  it('is the owner’s, or the provider’s, or a careful one', () => {
    const of = (smtp_host: string, pace: number | null = null, address = 'me@gmail.com') =>
      paceOf({ pace, smtp_host, address })
    expect(of('smtp.gmail.com', 7).perHour).toBe(7)
    expect(of('SMTP.gmail.com').perHour).toBe(100)
    expect(of('smtp.example.com').perHour).toBe(60)
    // A pace of the owner's own does not lift what the provider takes in a day.
    expect(of('smtp.gmail.com', 999).perDay).toBe(500)
    expect(of('smtp.gmail.com', 999, 'me@own.example').perDay).toBe(2000)
    expect(of('smtp.example.com').perDay).toBeNull()
    // Microsoft names a number for domains of one's own alone.
    expect(of('smtp.office365.com', null, 'me@outlook.com').perDay).toBeNull()
    expect(of('smtp.office365.com', null, 'me@own.example').perDay).toBe(10_000)
    expect(storesSentMails('smtp.gmail.com')).toBe(true)
    expect(storesSentMails('smtp.example.com')).toBe(false)
  })
})
