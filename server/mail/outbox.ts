import { randomBytes } from 'node:crypto'
import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makeFolder } from '../make-folder.ts'
import type { Envelope } from './message.ts'

/**
 * Mail without a mail server: each message becomes an .eml file in `outbox`. Its links are as sensitive as
 * passwords, so only the owner of the process may read it.
 */
export function createOutbox(dataDir: string) {
  const folder = join(dataDir, 'outbox')
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let count = 0

  async function send(
    { account, ...envelope }: Envelope,
    mayEnd: () => Promise<void>,
  ): Promise<void> {
    const { message } = await transport.sendMail({ ...envelope, xMailer: false })
    await makeFolder(folder)
    await chmod(folder, 0o700)
    count += 1
    // The name has the time, the order within this process and a random part: it sorts by time and is unique.
    const order = String(count).padStart(6, '0')
    const time = new Date().toISOString().replaceAll(':', '-')
    const name = `${time}-${order}-${randomBytes(4).toString('hex')}${account ? `-${account}` : ''}`
    const draft = join(folder, `.${name}.tmp`)
    await mayEnd()
    await writeFile(draft, message, { flag: 'wx', mode: 0o600 })
    // Renamed when complete, so that nobody reads a partial message.
    await rename(draft, join(folder, `${name}.eml`))
  }

  async function forget(account: string): Promise<void> {
    // The folder is created with the first mail.
    const names = await readdir(folder).catch(() => [])
    const meant = names.filter((name) => name.endsWith(`-${account}.eml`))
    await Promise.all(meant.map((name) => rm(join(folder, name), { force: true })))
  }

  return { send, forget, close: () => transport.close() }
}
