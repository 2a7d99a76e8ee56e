import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { passwordIsFor } from '#domain/mail-account.ts'
import type { Settings } from '../settings.ts'
import type { MailAccount } from './account.ts'

/** Encrypts the passwords of accounts for mail; the key is never in the database. */
export type MailKey = {
  seal(password: string, account: MailAccount): string
  /** Null where it was encrypted with another key, or for other servers. */
  open(secret: string, account: MailAccount): string | null
}

const algorithm = 'aes-256-gcm'

/**
 * The key of this installation: `MAIL_KEY`, or a file of the data folder that only its owner can read. Null with
 * `DATABASE_URL` and no `MAIL_KEY`: processes that share a database share no folder.
 */
export async function mailKeyOf(
  settings: Pick<Settings, 'backend' | 'dataDir' | 'mailKey'>,
): Promise<MailKey | null> {
  if (settings.mailKey) return keyFrom(Buffer.from(settings.mailKey, 'utf8'))
  if (settings.backend.kind !== 'embedded') return null
  const path = join(settings.dataDir, 'mail.key')
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (known?.trim()) return keyFrom(Buffer.from(known.trim(), 'utf8'))
  const made = randomBytes(32).toString('hex')
  // Written to another name and renamed, so that a crash leaves no partial file.
  await writeFile(`${path}.new`, `${made}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return keyFrom(Buffer.from(made, 'utf8'))
}

export function keyFrom(material: Buffer): MailKey {
  const key = Buffer.from(hkdfSync('sha256', material, '', 'passwords of accounts for mail', 32))
  return {
    seal(password, account) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, key, nonce)
      cipher.setAAD(boundTo(account))
      const text = Buffer.concat([cipher.update(password, 'utf8'), cipher.final()])
      return ['v1', nonce, text, cipher.getAuthTag()]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.')
    },
    open(secret, account) {
      const [version, nonce, text, tag] = secret.split('.')
      if (version !== 'v1' || !nonce || text === undefined || !tag) return null
      try {
        const bytes = (part: string) => Buffer.from(part, 'base64url')
        const decipher = createDecipheriv(algorithm, key, bytes(nonce), { authTagLength: 16 })
        decipher.setAAD(boundTo(account))
        decipher.setAuthTag(bytes(tag))
        return Buffer.concat([decipher.update(bytes(text)), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

/**
 * A password is for these servers and this user alone. Whoever gets to write the account's row, and leads it to a
 * server of their own, is not sent the password.
 */
function boundTo(account: MailAccount): Buffer {
  const columns = ['id', 'user_id', ...passwordIsFor] as const
  return Buffer.from(JSON.stringify(columns.map((column) => account[column])))
}
