import { createHash } from 'node:crypto'
import type { FetchMessageObject, MessageStructureObject } from 'imapflow'
import PostalMime from 'postal-mime'

/** A mail as `private.store_mail` takes it. */
export type ReadMail = {
  message_id: string
  refs: string[]
  direction: 'in' | 'out'
  sender: string | null
  sender_name: string | null
  recipients: { role: 'to' | 'cc' | 'bcc'; name: string; address: string }[]
  subject: string | null
  snippet: string | null
  body_text: string | null
  body_html: string | null
  is_cut: boolean
  sent_at: string
  attachments: Attachment[]
  folder: string
  folder_validity: number
  uid: number
  is_automatic: boolean
  is_doubtful: boolean
}

type Attachment = { part: string; name: string; type: string; size: number; cid: string | null }

/** What a mail says about itself before its body is read. */
export type Envelope = Pick<
  ReadMail,
  'message_id' | 'sender' | 'sender_name' | 'recipients' | 'subject' | 'sent_at' | 'uid'
> & {
  /** It says which mail it answers. */
  isAnswer: boolean
}

/** A mail that is not kept, and which mails it answers. */
export type Reply = Pick<ReadMail, 'sender' | 'refs'>

/** The most bytes that are read of a text part, as it is encoded in the mail. */
const mostOfText = 150_000
const mostOfHtml = 400_000

const addressForm = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/

/** Text that the database takes: no zeros, no half letters, not too long. */
function clean(text: string | undefined | null, most: number): string {
  const whole = (text ?? '').replaceAll('\u0000', '')
  const cut = [...whole.slice(0, most * 2)].slice(0, most).join('')
  // A letter of two halves that was cut in the middle.
  return cut.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '�')
}

function cleanLine(text: string | undefined | null, most: number): string {
  return clean((text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim(), most)
}

type Addresses = { name?: string | undefined; address?: string | undefined }[] | undefined

function peopleIn(list: Addresses): { name: string; address: string }[] {
  return (list ?? [])
    .map(({ name, address }) => ({
      name: cleanLine(name, 200),
      address: cleanLine(address, 400).toLowerCase(),
    }))
    .filter(({ address }) => addressForm.test(address) && address.length <= 320)
}

/** The envelope of a fetched message. What it lacks is made up the same way each time. */
export function envelopeOf(message: FetchMessageObject, now: Date): Envelope {
  const { envelope = {}, internalDate, uid, size } = message
  const [from] = peopleIn(envelope.from)
  const recipients = (['to', 'cc', 'bcc'] as const).flatMap((role) =>
    peopleIn(envelope[role]).map((person) => ({ role, ...person })),
  )
  const arrived = dateOf(internalDate) ?? now
  const claimed = dateOf(envelope.date)
  // The sender's clock may be wrong, or lie.
  const isSensible =
    claimed &&
    claimed.getTime() < arrived.getTime() + 86_400_000 &&
    claimed.getTime() > Date.UTC(1990, 0)
  const subject = cleanLine(envelope.subject, 500) || null
  const sentAt = (isSensible ? claimed : arrived).toISOString()
  const id = cleanLine(envelope.messageId, 600)
  const isUsable = id.length > 0 && id.length <= 500
  return {
    message_id: isUsable
      ? id
      : `<${createHash('sha256')
          .update(JSON.stringify([id, sentAt, from?.address, subject, size]))
          .digest('hex')}@without-id>`,
    sender: from?.address ?? null,
    sender_name: from?.name || null,
    recipients: recipients.slice(0, 500),
    subject,
    sent_at: sentAt,
    uid,
    isAnswer: cleanLine(envelope.inReplyTo, 600) !== '',
  }
}

function dateOf(value: Date | string | undefined): Date | null {
  const date = value === undefined ? null : new Date(value)
  return date && !Number.isNaN(date.getTime()) ? date : null
}

export type TextPart = { part: string; node: MessageStructureObject; most: number }

/** Which parts of a mail are its text, and which are attached. */
export function partsOf(root: MessageStructureObject | undefined): {
  texts: TextPart[]
  attachments: Attachment[]
} {
  const texts: TextPart[] = []
  const attachments: Attachment[] = []
  const found = new Set<string>()
  function walk(node: MessageStructureObject, depth: number): void {
    if (node.childNodes && node.type?.startsWith('multipart/')) {
      if (depth < 20) for (const child of node.childNodes) walk(child, depth + 1)
      return
    }
    const part = node.part ?? '1'
    const type = (node.type ?? 'application/octet-stream').toLowerCase()
    const name = node.dispositionParameters?.filename ?? node.parameters?.name
    const isAttached = node.disposition?.toLowerCase() === 'attachment' || Boolean(name)
    if (/^text\/(plain|html)$/.test(type) && !isAttached && !found.has(type)) {
      found.add(type)
      texts.push({ part, node, most: type === 'text/html' ? mostOfHtml : mostOfText })
    } else if (attachments.length < 100 && (isAttached || !type.startsWith('text/'))) {
      attachments.push({
        part,
        name: cleanLine(name, 200) || 'Attachment',
        type: cleanLine(type, 100),
        size: node.size ?? 0,
        cid: cleanLine(node.id, 200).replace(/^<|>$/g, '') || null,
      })
    }
  }
  if (root) walk(root, 0)
  return { texts, attachments }
}

/** The headers that are read besides the envelope. */
export const wantedHeaders = [
  ...['references', 'in-reply-to', 'auto-submitted', 'precedence', 'list-id'],
  ...['list-unsubscribe', 'authentication-results'],
]

/** What the headers of a mail say that its envelope does not. */
export function headersIn(raw: Buffer | undefined) {
  const lines = (raw?.toString('latin1') ?? '').replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const all = (name: string) =>
    lines
      .filter((line) => line.toLowerCase().startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trim())
  const ids = [...all('references'), ...all('in-reply-to')].flatMap(
    (line) => line.match(/<[^<>\s]{1,498}>/g) ?? [],
  )
  const unique = [...new Set(ids)]
  const automatic = all('auto-submitted').some((value) => !/^no\b/i.test(value))
  const bulk = all('precedence').some((value) => /^(bulk|list|junk|auto_reply)/i.test(value))
  const isList = all('list-id').length > 0 || all('list-unsubscribe').length > 0
  // The user's own server wrote the topmost one; any sender may have written those below.
  const [verdict = ''] = all('authentication-results')
  return {
    // The first mail of the conversation, and the last ones.
    refs: unique.length > 50 ? [...unique.slice(0, 1), ...unique.slice(-49)] : unique,
    is_automatic: automatic || bulk || isList,
    is_doubtful: /\bdmarc\s*=\s*fail\b/i.test(verdict),
  }
}

/** The text of a part, whatever its encoding and charset; as good as it can be read. */
export async function decoded(
  { node, most }: TextPart,
  bytes: Buffer,
  isDecoded: boolean,
): Promise<{ text: string; isCut: boolean }> {
  const type = node.type ?? 'text/plain'
  const charset = (node.parameters?.charset ?? 'utf-8').replace(/[^\w.:-]/g, '')
  const encoding = isDecoded ? '8bit' : (node.encoding ?? '7bit').replace(/[^\w-]/g, '')
  const head = `Content-Type: ${type}; charset="${charset}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
  const isCut = bytes.length >= most
  const parsed = await PostalMime.parse(Buffer.concat([Buffer.from(head), bytes]))
  const text = (type === 'text/html' ? parsed.html : parsed.text) ?? ''
  return {
    text: /^(windows-1252|iso-8859-1|us-ascii|latin1)$/i.test(charset) ? asWindows(text) : text,
    isCut,
  }
}

const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Node reads windows-1252 as if it were iso-8859-1, which has no letters in that place; mails call one by the other's name. */
function asWindows(text: string): string {
  return text.replace(
    /[\u0080-\u009f]/g,
    (letter) => windowsLetters[letter.charCodeAt(0) - 0x80] ?? letter,
  )
}

const entities: Record<string, string> = {
  nbsp: ' ',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&',
}

/**
 * The readable words of a page, for a mail that came without plain text. In one pass from the beginning to the end: an
 * expression that searches the end of each tag again and again would take minutes for a page that is built to attack it.
 */
function wordsOf(html: string): string {
  const page = html.slice(0, mostOfHtml)
  const lower = page.toLowerCase()
  const words: string[] = []
  let at = 0
  while (at < page.length) {
    const open = page.indexOf('<', at)
    const close = open < 0 ? -1 : page.indexOf('>', open)
    if (close < 0) {
      words.push(open < 0 ? page.slice(at) : page.slice(at, open))
      break
    }
    words.push(page.slice(at, open))
    const tag = /^[a-z0-9/]{1,12}/.exec(lower.slice(open + 1, open + 13))?.[0] ?? ''
    if (
      !/^\/?(a|abbr|b|big|code|em|font|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)$/.test(tag)
    ) {
      words.push(/^(br|\/p|\/div|\/tr|\/li|\/h\d)$/.test(tag) ? '\n' : ' ')
    }
    at = close + 1
    if (/^(style|script|head|title)$/.test(tag)) {
      const end = lower.indexOf(`</${tag}`, at)
      if (end < 0) break
      at = end
    }
  }
  return words
    .join('')
    .replace(/&(nbsp|lt|gt|quot|apos|#39|amp);/gi, (_all, name: string) => {
      return entities[name.toLowerCase()] ?? ' '
    })
    .split('\n')
    .map((line) => line.replace(/[\s\u00a0]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The body as it is stored, and its first words without what it quotes. */
export function bodyOf(text: string | null, html: string | null) {
  const words = text?.trim() ? text : html ? wordsOf(html) : ''
  const own = words
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join(' ')
  return {
    body_text: clean(words, 200_000).trim() || null,
    body_html: html ? clean(html, 500_000) || null : null,
    snippet: cleanLine(own, 200) || null,
  }
}
