import { createHash, randomUUID } from 'node:crypto'
import { type Account, ok } from './harness.ts'

export const partSize = 1_048_576

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A picture of one pixel: eight bytes would do, but a reader may look. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Client = Pick<Account, 'client'>

export function sendPart({ client }: Client, bytes: Buffer, part: number, sha256 = hashOf(bytes)) {
  const sent = bytes.subarray(part * partSize, (part + 1) * partSize)
  return client.rpc('add_upload_part', { sha256, part, bytes: sent.toString('base64') })
}

/** Sends what a file holds, as the browser does. */
export async function upload(account: Client, bytes: Buffer): Promise<string> {
  const sha256 = hashOf(bytes)
  const started = await ok(account.client.rpc('start_upload', { sha256, size: bytes.length }))
  for (const part of (started as { missing: number[] }).missing) {
    const { error } = await sendPart(account, bytes, part)
    if (error) throw new Error(error.message)
  }
  return sha256
}

export type FileCard = {
  id: string
  name: string
  type: string
  size: number
  sha256: string
  note_id: string | null
}

type Place = { contact?: string; company?: string; deal?: string; note?: string }

export async function addFile(
  account: Client,
  place: Place,
  { name = 'offer.png', bytes = png }: { name?: string; bytes?: Buffer } = {},
) {
  const sha256 = await upload(account, bytes)
  const added = await ok(
    account.client.rpc('add_file', { id: randomUUID(), sha256, name, ...place }),
  )
  return added as { file: FileCard; batch: string }
}

/** What a file holds, read part by part. */
export async function download({ client }: Client, { sha256, size }: FileCard): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let part = 0; part * partSize < size; part += 1) {
    parts.push(Buffer.from(await ok(client.rpc('file_part', { sha256, part })), 'base64'))
  }
  return Buffer.concat(parts)
}
