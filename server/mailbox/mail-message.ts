import { domainToASCII } from 'node:url'
import MailComposer from 'nodemailer/lib/mail-composer'
import { z } from 'zod'

const role = z.enum(['to', 'cc', 'bcc'])

/** The columns of `private.outgoing_mails` that sending needs. */
export const outgoingRow = z.object({
  id: z.uuid(),
  user_id: z.uuid(),
  message_id: z.string().regex(/^<[^<>\s]+>$/),
  refs: z.array(z.string()),
  recipients: z.array(z.object({ role, name: z.string(), address: z.string() })),
  subject: z.string().nullable(),
  body_text: z.string().nullable(),
  body_html: z.string().nullable(),
  attachments: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      size: z.number(),
      sha256: z.string(),
    }),
  ),
  send_at: z.coerce.date(),
  tries: z.number(),
  tried_at: z.coerce.date().nullable(),
  handed_at: z.coerce.date().nullable(),
  may_have_left: z.boolean(),
})

export type OutgoingRow = z.infer<typeof outgoingRow>

/** An attached file. */
export type Attached = { name: string; type: string; bytes: Buffer }

const addressForm = /^[^\p{Cc}\p{Z}@<>,;:"()[\]\\]+@[^\p{Cc}\p{Z}@<>,;:"()[\]\\]+$/u

/** What cannot be sent, though the database took it: a row that was written past its functions. */
export class UnsendableMail extends Error {
  override name = 'UnsendableMail'
}

/** To whom the server is to bring it, hidden recipients among them; as servers want addresses. */
export function envelopeOf(row: OutgoingRow, from: string): { from: string; to: string[] } {
  const to = row.recipients.map(({ address }) => plainAddress(address))
  if (to.length === 0) throw new UnsendableMail('Nobody is left to send it to.')
  return { from: plainAddress(from), to }
}

/** An address as servers want it: an international domain in plain letters. */
export function plainAddress(address: string): string {
  if (!addressForm.test(address)) throw new UnsendableMail('One of its addresses is not valid.')
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}

/** A line break would begin another header. */
function line(words: string | null): string {
  return (words ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/**
 * The mail as it is sent and as it lies in the sent folder. It does not name hidden recipients, and holds nothing that
 * would report when or where it is opened.
 */
export async function writeMail(
  row: OutgoingRow,
  from: { address: string; name: string | null },
  files: Attached[],
): Promise<Buffer> {
  const people = (wanted: 'to' | 'cc') =>
    row.recipients
      .filter((person) => person.role === wanted)
      .map(({ name, address }) => ({ name: line(name), address: plainAddress(address) }))
  const [to, cc] = [people('to'), people('cc')]
  const answered = row.refs.filter((ref) => /^<[^<>\s]+>$/.test(ref))
  const composer = new MailComposer({
    from: { name: line(from.name), address: plainAddress(from.address) },
    to: to.length + cc.length > 0 ? to : 'undisclosed-recipients:;',
    ...(cc.length > 0 ? { cc } : {}),
    subject: line(row.subject),
    messageId: row.message_id,
    // Written again for the sent folder it is the same, byte for byte.
    baseBoundary: row.id.replaceAll('-', ''),
    date: row.tried_at ?? new Date(),
    ...(answered.length > 0 ? { inReplyTo: answered.at(-1) ?? '', references: answered } : {}),
    text: row.body_text ?? '',
    ...(row.body_html === null ? {} : { html: row.body_html }),
    attachments: files.map(({ name, type, bytes }) => ({
      filename: line(name),
      content: bytes,
      contentDisposition: 'attachment' as const,
      // By its name, where the content does not show the type.
      ...(type === 'application/octet-stream' ? {} : { contentType: line(type) }),
    })),
    // Nothing in a mail can make the server read or fetch something.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
