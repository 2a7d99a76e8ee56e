import { requestOutgoing } from '../outgoing/request.ts'
import type { MailRule } from './connect.ts'

const mostBytes = 5_000_000
const mostRedirects = 3

/** How files of raster images begin. SVG is a program, and no picture here. */
const kinds: [type: string, begins: (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff'],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  [
    'image/webp',
    (bytes) =>
      bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
      bytes.subarray(8, 12).toString('latin1') === 'WEBP',
  ],
]

/**
 * A picture that a mail points to, fetched by the server, so that its sender does not learn where the reader is. The request
 * has no cookies and nothing about the reader; every redirect is checked. Null when it is no picture or cannot be fetched.
 */
export async function fetchPicture(
  address: string,
  rule: MailRule,
): Promise<{ type: string; bytes: Buffer } | null> {
  let url = address
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    try {
      const answer = await requestOutgoing(
        { method: 'GET', url, headers: { accept: 'image/*' }, timeLimit: 10_000, mostBytes },
        rule,
      )
      if (answer.status >= 300 && answer.status < 400 && answer.headers.location) {
        url = new URL(answer.headers.location, url).href
        continue
      }
      if (answer.status !== 200 || answer.isCut) return null
      const kind = kinds.find(([, begins]) => begins(answer.body))
      return kind ? { type: kind[0], bytes: answer.body } : null
    } catch {
      return null
    }
  }
  return null
}
