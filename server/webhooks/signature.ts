import { createHmac } from 'node:crypto'

export type SignedMessage = { id: string; body: string; secrets: string[]; at: Date }

/**
 * The headers of Standard Webhooks. The id is the same at every try, so that a receiver can drop what it has already;
 * the time is that of the try, so that an old message cannot be sent again by somebody else.
 */
export function signedHeaders({ id, body, secrets, at }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
    return `v1,${signature.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
