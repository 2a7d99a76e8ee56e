import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'

type Mail = { to: string; subject: string; text: string }

/** Waits until `count` mails have gone to an address, and gives the last one. */
export async function mailTo(email: string, count = 1): Promise<Mail> {
  const mails = () => readMails(outboxFolder()).filter(({ to }) => to === email)
  await expect.poll(() => mails().length, `mails to ${email}`).toBe(count)
  return mails()[count - 1] ?? { to: email, subject: '', text: '' }
}

/** The link that a mail asks to open. */
export function linkIn({ text }: Mail): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  if (!link) throw new Error(`There is no link in: ${text}`)
  return link
}

/** Everything that the confirming server has sent so far, oldest first: its names begin with the time. */
function readMails(folder: string): Mail[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .flatMap((name) => sourceOf(join(folder, name)))
    .map(readMail)
}

function sourceOf(file: string): string[] {
  try {
    return [readFileSync(file, 'latin1')]
  } catch {
    // The mail was deleted with its account after the names were read.
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The server creates the folder with its first mail.
    return []
  }
}

function readMail(source: string): Mail {
  const { headers, body } = split(source)
  const [, boundary] = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '') ?? []
  const parts = boundary ? body.split(`--${boundary}`).map((part) => split(part.trimStart())) : []
  const plain = parts.find((part) => part.headers.get('content-type')?.startsWith('text/plain'))
  return {
    to: headers.get('to') ?? '',
    subject: headers.get('subject') ?? '',
    text: decode(plain ?? { headers, body }),
  }
}

type Part = { headers: Map<string, string>; body: string }

function split(source: string): Part {
  const end = source.indexOf('\r\n\r\n')
  // A line that begins with a space goes on with the one before.
  const lines = source.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const headers = lines.split('\r\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: new Map(headers), body: source.slice(end + 4) }
}

function decode({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8')
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function outboxFolder(): string {
  return process.env.E2E_OUTBOX ?? ''
}
