import { describe, expect, it } from 'vitest'
import {
  type Correspondent,
  draftProblem,
  isWritten,
  type MailDraft,
  missingFields,
  newDraft,
  plannedMails,
} from './mail-draft.ts'

function person(address: string, first_name: string | null = null): Correspondent {
  const contact = first_name && { id: address, first_name, last_name: null, email: address }
  return { address, name: first_name ?? '', contact: contact || null }
}

const ada = person('ada@x.org', 'Ada')
const bob = person('bob@x.org', 'Bob')
const stranger = person('who@x.org')
const draft: MailDraft = {
  ...newDraft,
  account: 'a',
  to: [ada],
  subject: ' Hello {{first_name}} ',
  html: '<p>Dear {{first_name}}</p>',
}

describe('plannedMails', () => {
  it('fills in the fields of the only recipient, below it the signature', () => {
    expect(plannedMails(draft, '<p>Me</p>')).toMatchObject([
      {
        account: 'a',
        to: [{ address: 'ada@x.org', name: 'Ada' }],
        subject: 'Hello Ada',
        text: 'Dear Ada\n\n-- \nMe',
        send_at: null,
      },
    ])
    expect(plannedMails({ ...draft, hasSignature: false }, '<p>Me</p>')[0]?.text).toBe('Dear Ada')
  })
  it('makes one for each, to nobody else', () => {
    const mails = plannedMails({ ...draft, way: 'each', to: [ada, bob], cc: [stranger] }, null)
    expect(mails.map(({ to, cc, text }) => [to[0]?.address, cc, text])).toEqual([
      ['ada@x.org', [], 'Dear Ada'],
      ['bob@x.org', [], 'Dear Bob'],
    ])
  })
})

describe('draftProblem', () => {
  it.each<[string, Partial<MailDraft>, string | undefined]>([
    ['nothing is wrong', {}, undefined],
    ['no account', { account: null }, 'account'],
    ['nobody', { to: [] }, 'to'],
    ['only a blind copy', { to: [], bcc: [ada] }, undefined],
    ['nothing written', { subject: ' ', html: '<p></p>' }, 'subject'],
    ['fields for several at once', { cc: [bob] }, 'subject'],
    [
      'fields in the text alone',
      { cc: [bob], subject: 'x', html: '<p>Dear {{first_name}}</p>' },
      'html',
    ],
    ['fields for each', { way: 'each', to: [ada, bob] }, undefined],
    ['more than 100 in one', { subject: 'x', html: '<p>x</p>', to: Array(101).fill(ada) }, 'to'],
    ['more than 500 mails', { way: 'each', to: Array(501).fill(ada) }, 'to'],
    ['files too large', { files: [{ id: 'f', name: 'f', size: 3e7, isStored: true }] }, 'files'],
  ])('%s', (_what, changes, field) => {
    expect(draftProblem({ ...draft, ...changes })?.field).toBe(field)
  })
})

describe('missingFields', () => {
  it('says what is empty for whom', () => {
    expect(missingFields(draft)).toEqual([])
    expect(missingFields({ ...draft, way: 'each', to: [ada, stranger] })).toEqual([
      'First name is empty for who@x.org',
    ])
    const toAll = { ...draft, way: 'each' as const, to: [ada, bob], html: '<p>{{company}}</p>' }
    expect(missingFields(toAll)).toEqual(['Company is empty for all 2 recipients'])
  })
})

describe('isWritten', () => {
  it('misses text, subject, files and people, but nothing that was there', () => {
    expect(isWritten(draft, draft)).toBe(false)
    expect(isWritten({ ...draft, subject: 'x' }, draft)).toBe(true)
    expect(isWritten({ ...draft, html: '<p>x</p>' }, draft)).toBe(true)
    expect(isWritten({ ...draft, html: '<p></p>' }, draft)).toBe(false)
    expect(isWritten({ ...draft, cc: [bob] }, draft)).toBe(true)
    const files = [{ id: 'f', name: 'f', size: 1, isStored: true }]
    expect(isWritten({ ...draft, files }, draft)).toBe(true)
  })
})
