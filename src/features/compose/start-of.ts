import {
  answerRecipients,
  answerSubject,
  isSameAddress,
  type MailAddress,
} from '#domain/mail-addresses.ts'
import { type Correspondent, type MailDraft, newDraft } from '#domain/mail-draft.ts'
import { htmlToText, textToHtml } from '#domain/mail-text.ts'
import type { OutgoingMail } from '#domain/outgoing-mail.ts'
import type { AnsweredMail, MailSubject } from '#features/forms/index.ts'
import type { MailAccount } from '#features/mail/index.ts'

const asTyped = ({ address, name }: { address: string; name?: string | undefined }) => ({
  address,
  name: name ?? '',
  contact: null,
})

type Sender = Pick<MailAccount, 'id' | 'address'>

/** A new mail to these contacts. Many get one each; those on a deal write to each other. */
export function newMail(
  people: Correspondent[],
  accounts: Sender[],
  subject: MailSubject | undefined,
): MailDraft {
  return {
    ...newDraft,
    account: accounts[0]?.id ?? null,
    to: people,
    way: people.length > 1 && subject?.record !== 'deal' ? 'each' : 'one',
    deal: subject?.record === 'deal' ? subject.id : null,
  }
}

/** The answer to a mail, from the account that has it. */
export function answerTo(
  mail: AnsweredMail,
  isToAll: boolean,
  accounts: Sender[],
  when: string,
): MailDraft {
  const own = accounts.map(({ address }) => address)
  const { to, cc } = answerRecipients(mail, own, isToAll)
  const addressed = accounts.find(({ address }) =>
    mail.recipients.some((each) => isSameAddress(each.address, address)),
  )
  const account = accounts.find(({ id }) => id === mail.account_id) ?? addressed ?? accounts[0]
  return {
    ...newDraft,
    account: account?.id ?? null,
    to: to.map(asTyped),
    cc: cc.map(asTyped),
    subject: answerSubject(mail.subject),
    quote: { when, who: writerOf(mail), text: textOf(mail) },
    answers: mail.id,
    deal: mail.deal,
  }
}

function writerOf({ sender, sender_name }: AnsweredMail): string {
  return mailbox({ address: sender ?? '', name: sender_name ?? '' })
}

/** 'Ada Lovelace <ada@example.com>'. */
function mailbox({ address, name }: MailAddress): string {
  return name && address ? `${name} <${address}>` : name || address || 'someone'
}

function textOf({ body_text, body_html }: AnsweredMail): string {
  return body_text ?? (body_html ? htmlToText(body_html).replace(/\n{3,}/g, '\n\n') : '')
}

/** A mail of the outbox as it is written on: signature and quote are in its text. */
export function correctionOf(mail: OutgoingMail, accounts: Sender[], now: number): MailDraft {
  const isThere = accounts.some(({ id }) => id === mail.account)
  return {
    ...newDraft,
    account: isThere ? mail.account : (accounts[0]?.id ?? null),
    to: mail.to.map(asTyped),
    cc: mail.cc.map(asTyped),
    bcc: mail.bcc.map(asTyped),
    subject: mail.subject,
    html: mail.html ?? textToHtml(mail.text),
    hasSignature: false,
    hasQuote: false,
    answers: mail.answers,
    deal: mail.deal,
    files: mail.files.map(({ id, name, size }) => ({ id, name, size, isStored: true })),
    followUpDays: mail.follow_up_days,
    // What was planned for later stays so.
    sendAt: Date.parse(mail.send_at) > now + 60_000 ? mail.send_at : null,
  }
}
