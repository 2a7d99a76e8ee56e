import { randomBytes } from 'node:crypto'
import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makeFolder } from '../make-folder.ts'
import type { Envelope } from './message.ts'

/**
 * Mail without a mail server: each message becomes a file in `outbox`, in the form every mail program
 * opens. The links in them are as good as passwords, so nobody but the owner of the process may read them.
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

  async function send({ account, ...envelope }: Envelope): Promise<void> {
    const { message } = await transport.sendMail({ ...envelope, xMailer: false })
    await makeFolder(folder)
    await chmod(folder, 0o700)
    count += 1
    // Time first, then the order within this process, then chance: sorts by time, and no two processes
    // or restarts meet in one name.
    const order = String(count).padStart(6, '0')
    const time = new Date().toISOString().replaceAll(':', '-')
    const name = `${time}-${order}-${randomBytes(4).toString('hex')}${account ? `-${account}` : ''}`
    const draft = join(folder, `.${name}.tmp`)
    await writeFile(draft, message, { flag: 'wx', mode: 0o600 })
    // Renamed only when whole, so that whoever watches the folder never reads half a message.
    await rename(draft, join(folder, `${name}.eml`))
  }

  async function forget(account: string): Promise<void> {
    // The folder comes with the first mail.
    const names = await readdir(folder).catch(() => [])
    const meant = names.filter((name) => name.endsWith(`-${account}.eml`))
    await Promise.all(meant.map((name) => rm(join(folder, name), { force: true })))
  }

  return { send, forget, close: () => transport.close() }
}
