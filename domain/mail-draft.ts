import { counted } from './counted.ts'
import type { MailAddress } from './mail-addresses.ts'
import {
  emptyFields,
  fieldLabel,
  hasFields,
  mergeFields,
  namesInWords,
  type Recipient,
} from './mail-merge.ts'
import { filledInMail, htmlToText, isBlankHtml, mailBodies, type Quote } from './mail-text.ts'
import {
  mostAttachedBytes,
  mostMailsAtOnce,
  mostRecipients,
  type PlannedMail,
} from './outgoing-mail.ts'

/** Somebody a mail goes to; with the contact's details, where it is one. */
export type Correspondent = MailAddress & { contact: (Recipient & { id: string }) | null }

/** A file that goes along: one that is stored already, or one that is sent first. */
export type AttachedFile = { id: string; name: string; size: number; isStored: boolean }

/** One mail to all, or one to each. */
export type MailWay = 'one' | 'each'

/** A mail while it is written. */
export type MailDraft = {
  /** The account that it is sent from; null while none is chosen. */
  account: string | null
  way: MailWay
  to: Correspondent[]
  cc: Correspondent[]
  bcc: Correspondent[]
  subject: string
  /** Of the editor: neither signature nor quote are in it. */
  html: string
  hasSignature: boolean
  quote: Quote | null
  hasQuote: boolean
  answers: string | null
  deal: string | null
  files: AttachedFile[]
  followUpDays: number | null
  /** When it leaves, as a moment; null for now. */
  sendAt: string | null
}

/** A mail that nobody has written anything in. */
export const newDraft: MailDraft = {
  ...{ account: null, way: 'one', to: [], cc: [], bcc: [], subject: '', html: '<p></p>' },
  ...{ hasSignature: true, quote: null, hasQuote: true, answers: null, deal: null, files: [] },
  ...{ followUpDays: null, sendAt: null },
}

/** The details of somebody for merge fields; of somebody who is no contact, only the address is known. */
export function detailsOf({ contact, address }: Correspondent): Recipient {
  return contact ? { ...contact, email: address } : { ...unknown, email: address }
}

const unknown = { first_name: null, last_name: null, role_title: null, company_name: null }

/** Everybody a mail goes to. */
export function everybody({ to, cc, bcc }: Pick<MailDraft, 'to' | 'cc' | 'bcc'>): Correspondent[] {
  return [...to, ...cc, ...bcc]
}

/** Whether what was written would be missed. */
export function isWritten(draft: MailDraft, start: MailDraft): boolean {
  const addresses = (mail: MailDraft) =>
    [mail.to, mail.cc, mail.bcc]
      .map((people) => people.map(({ address }) => address).join())
      .join('|')
  return (
    (draft.subject.trim() !== start.subject.trim() && draft.subject.trim() !== '') ||
    (draft.html !== start.html && !isBlankHtml(draft.html)) ||
    draft.files.map(({ id }) => id).join() !== start.files.map(({ id }) => id).join() ||
    (addresses(draft) !== addresses(start) && everybody(draft).length > 0)
  )
}

/** Why a mail cannot be sent as it is, and at which field; null when it can. */
export type DraftProblem = { field: 'account' | 'to' | 'subject' | 'html' | 'files'; words: string }

/** `people` are those who get one each, where it is sent to each. */
export function draftProblem(draft: MailDraft): DraftProblem | null {
  const { account, way, to, subject, html, files } = draft
  const all = everybody(draft)
  if (!account) return { field: 'account', words: 'Choose the mailbox to send from.' }
  if (way === 'each' ? to.length === 0 : all.length === 0) {
    return { field: 'to', words: 'Enter at least one address.' }
  }
  if (way === 'each' && to.length > mostMailsAtOnce) {
    return {
      field: 'to',
      words: `At most ${mostMailsAtOnce} emails can be sent at once. Choose fewer people.`,
    }
  }
  if (way === 'one' && all.length > mostRecipients) {
    return {
      field: 'to',
      words: `One email goes to at most ${mostRecipients} addresses. Send one email per person instead.`,
    }
  }
  if (subject.trim() === '' && isBlankHtml(html)) {
    return { field: 'subject', words: 'Enter a subject or a message.' }
  }
  if (subject.length > 1000) {
    return { field: 'subject', words: 'Subject can have at most 1,000 characters.' }
  }
  if (html.length > longestHtml) {
    return { field: 'html', words: 'This message is too long. Attach a part of it as a file.' }
  }
  if (way === 'one' && all.length > 1 && hasFields(`${subject} ${htmlToText(html)}`)) {
    return {
      field: hasFields(subject) ? 'subject' : 'html',
      words:
        'One email to several people is the same for all, so it can’t use fields such as {{first_name}}. Remove the fields or send one email per person.',
    }
  }
  if (sizeOf(files) > mostAttachedBytes) {
    return { field: 'files', words: 'The files are larger than 25 MB together. Remove some.' }
  }
  return null
}

const longestHtml = 500_000

export function sizeOf(files: readonly AttachedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** What is empty for whom, a line for each field: 'First name is empty for Ada and Bob'. */
export function missingFields(draft: MailDraft): string[] {
  const text = `${draft.subject} ${htmlToText(draft.html)}`
  if (!hasFields(text)) return []
  const people = draft.way === 'each' ? draft.to : everybody(draft)
  const without = new Map<string, Recipient[]>()
  for (const person of people) {
    const details = detailsOf(person)
    for (const field of emptyFields(text, details)) {
      without.set(field, [...(without.get(field) ?? []), named(person)])
    }
  }
  return [...without].map(([field, who]) => {
    const isAll = who.length === people.length && people.length > 1
    const whose = isAll ? `all ${counted(who.length, 'recipient')}` : namesInWords(who, 3)
    return `${fieldLabel(field)} is empty for ${whose}`
  })
}

/** Somebody without a name is told by the address. */
function named(person: Correspondent): Recipient {
  const details = detailsOf(person)
  if (mergeFields.full_name?.(details)) return details
  return { ...details, first_name: person.name || person.address, last_name: null }
}

/** The mails as they are planned: one, or one for each. `files` are the ids of the stored files. */
export function plannedMails(draft: MailDraft, signature: string | null): PlannedMail[] {
  const bodies = mailBodies({
    html: draft.html,
    signature: draft.hasSignature ? signature : null,
    quote: draft.hasQuote ? draft.quote : null,
  })
  const whole = { subject: draft.subject.trim(), ...bodies }
  const common = {
    account: draft.account ?? '',
    files: draft.files.map(({ id }) => id),
    answers: draft.answers,
    deal: draft.deal,
    follow_up_days: draft.followUpDays,
    send_at: draft.sendAt,
  }
  if (draft.way === 'each') {
    return draft.to.map((person) => ({
      ...common,
      ...{ to: [bare(person)], cc: [], bcc: [] },
      ...filledInMail(whole, detailsOf(person)),
    }))
  }
  const all = everybody(draft)
  const [only] = all
  // With several, no field stands in it.
  const mail = only && all.length === 1 ? filledInMail(whole, detailsOf(only)) : whole
  const people = {
    to: draft.to.map(bare),
    cc: draft.cc.map(bare),
    bcc: draft.bcc.map(bare),
  }
  return [{ ...common, ...people, ...mail }]
}

function bare({ address, name }: Correspondent) {
  return name ? { address, name } : { address }
}
