import { describe, expect, it } from 'vitest'
import {
  answerRecipients,
  answerSubject,
  hasMoreRecipients,
  isAddress,
  nameOfAddress,
  parseAddresses,
} from './mail-addresses.ts'

describe('isAddress', () => {
  it.each(['ada@example.com', 'ADA.L+x@mail.example.co.uk', 'ü@exämple.de'])('takes %s', (text) => {
    expect(isAddress(text)).toBe(true)
  })
  it.each([
    ...['', 'ada', 'ada@', 'ada@example', 'ada@example.', '@example.com', 'a b@example.com'],
    ...['ada@@example.com', 'a..b@example.com', `${'a'.repeat(250)}@example.com`],
  ])('refuses %s', (text) => {
    expect(isAddress(text)).toBe(false)
  })
})

describe('parseAddresses', () => {
  const list = (text: string) => parseAddresses(text).found.map(({ address }) => address)

  it('reads names, quotes, brackets and every way to divide', () => {
    expect(
      parseAddresses('Ada Lovelace <ada@x.org>, "Byron, Ada" <a@y.org>; b@z.org\n<c@z.org>'),
    ).toEqual({
      found: [
        { name: 'Ada Lovelace', address: 'ada@x.org' },
        { name: 'Byron, Ada', address: 'a@y.org' },
        { name: '', address: 'b@z.org' },
        { name: '', address: 'c@z.org' },
      ],
      rest: '',
    })
    expect(list('a@x.org b@x.org\tc@x.org')).toEqual(['a@x.org', 'b@x.org', 'c@x.org'])
    expect(list('mailto:a@x.org')).toEqual(['a@x.org'])
  })

  it('reads rows of a spreadsheet, with the name before or after', () => {
    expect(
      parseAddresses(
        'Ada\tLovelace\tada@x.org\t+44 20\nb@z.org\tBlaise\nNo\tbody\na@x.org\tb@x.org',
      ),
    ).toEqual({
      found: [
        { address: 'ada@x.org', name: 'Ada Lovelace' },
        { address: 'b@z.org', name: 'Blaise' },
        { address: 'a@x.org', name: '' },
        { address: 'b@x.org', name: '' },
      ],
      rest: 'No\tbody',
    })
  })

  it('keeps what is no address as it was typed', () => {
    expect(parseAddresses('a@x.org, Ada Lovel, b@')).toEqual({
      found: [{ name: '', address: 'a@x.org' }],
      rest: 'Ada Lovel, b@',
    })
    expect(parseAddresses('Ada <ada@>').rest).toBe('Ada <ada@>')
    expect(parseAddresses(' , ;\n')).toEqual({ found: [], rest: '' })
  })

  it('takes each address once, with the name that it has', () => {
    expect(parseAddresses('A@x.org, Ada <a@X.org>').found).toEqual([
      { name: 'Ada', address: 'A@x.org' },
    ])
  })
})

describe('answerRecipients', () => {
  const person = (role: string, address: string) => ({ role, name: '', address })
  const own = ['me@example.com', 'other@example.com']
  const mail = {
    direction: 'in' as const,
    sender: 'ada@x.org',
    sender_name: 'Ada',
    recipients: [
      person('to', 'Me@example.com'),
      person('to', 'bob@x.org'),
      person('cc', 'cleo@x.org'),
      person('cc', 'ADA@x.org'),
      person('bcc', 'hidden@x.org'),
    ],
  }
  const addresses = (people: { address: string }[]) => people.map(({ address }) => address)

  it('answers whoever wrote', () => {
    expect(answerRecipients(mail, own, false)).toEqual({
      to: [{ name: 'Ada', address: 'ada@x.org' }],
      cc: [],
    })
  })
  it('answers all who saw it, but not the user and nobody twice', () => {
    const { to, cc } = answerRecipients(mail, own, true)
    expect(addresses(to)).toEqual(['ada@x.org'])
    expect(addresses(cc)).toEqual(['bob@x.org', 'cleo@x.org'])
    expect(hasMoreRecipients(mail, own)).toBe(true)
    expect(hasMoreRecipients({ ...mail, recipients: [person('to', 'me@example.com')] }, own)).toBe(
      false,
    )
  })
  it('goes on writing to those whom the user wrote to', () => {
    const sent = { ...mail, direction: 'out' as const, sender: 'me@example.com' }
    const { to, cc } = answerRecipients(sent, own, true)
    expect(addresses(to)).toEqual(['bob@x.org'])
    expect(addresses(cc)).toEqual(['cleo@x.org', 'ADA@x.org'])
  })
  it('writes to the user only where nobody else is', () => {
    const toSelf = {
      ...mail,
      direction: 'out' as const,
      recipients: [person('to', 'me@example.com')],
    }
    expect(addresses(answerRecipients(toSelf, own, false).to)).toEqual(['me@example.com'])
  })
})

describe('answerSubject', () => {
  it.each([
    ['Offer', 'Re: Offer'],
    ['Re: Offer', 'Re: Offer'],
    ['AW: RE[2]: Re: Offer', 'Re: Offer'],
    ['Report: Offer', 'Re: Report: Offer'],
    [null, 'Re:'],
  ])('%s becomes %s', (before, after) => {
    expect(answerSubject(before)).toBe(after)
  })
})

it('who has no name is called by their address', () => {
  expect(nameOfAddress('max.muster@example.com')).toBe('Max Muster')
  expect(nameOfAddress('info@example.com')).toBe('Info')
})
