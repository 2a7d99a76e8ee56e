import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A real IMAP server of the run's own, on loopback. */
export type Dovecot = {
  /** With TLS from the beginning, and with STARTTLS. */
  port: number
  startTlsPort: number
  /** The certificate of `localhost`. */
  certificate: string
  password: string
  /** Lets in whoever sends, for a mail server beside it. */
  authPort: number
  /** Where the mails lie, and whose they are. */
  mail: { folder: string; uid: number; gid: number }
  /** Puts mails into a folder of a user, as a mail server does: unread; as if they had come at this time. */
  deliver(user: string, folder: string, mails: (string | Buffer)[], at?: Date): Promise<void>
  /** Lets a user have no room for one more mail. */
  fill(user: string): Promise<void>
  /** Gives all mails of a user's inbox new numbers. */
  renumber(user: string): Promise<void>
  /** The names of the files of the inbox, which tell whether a mail was seen or moved. */
  files(user: string): Promise<string[]>
  stop(): Promise<void>
}

const program = '/usr/sbin/dovecot'
/** In bytes. */
const roomOfUser = 500_000_000

/** Null where Dovecot is not installed. The closing lines of `npm test` tell whether. */
export async function startDovecot(): Promise<Dovecot | null> {
  if (!existsSync(program)) return null
  const folder = await mkdtemp(join(tmpdir(), 'solo-dovecot-'))
  await chmod(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? 'nobody' : execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()
  const group = execFileSync('id', ['-gn', user], { encoding: 'utf8' }).trim()
  const [uid, gid] = ['-u', '-g'].map((of) =>
    Number(execFileSync('id', [of, user], { encoding: 'utf8' })),
  ) as [number, number]
  const [port, startTlsPort, authPort] = [await freePort(), await freePort(), await freePort()]
  const { key, cert } = await certificateFor(folder)
  const mail = join(folder, 'mail')
  await mkdir(mail)
  if (isRoot) await run('chown', ['-R', `${user}:${group}`, mail])
  const password = 'right-password'
  const config = join(folder, 'dovecot.conf')
  await writeFile(
    config,
    `base_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${cert}
ssl_key = <${key}
mail_location = maildir:${mail}/%u
first_valid_uid = 1
mail_max_userip_connections = 100
mail_plugins = quota
plugin {
  quota = maildir:User quota
  quota_rule = *:bytes=${roomOfUser}
}
${isRoot ? '' : `default_internal_user = ${user}\ndefault_login_user = ${user}\ndefault_internal_group = ${group}`}
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${mail}/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
  mailbox Trash {
    special_use = \\Trash
  }
}
service auth {
  inet_listener {
    address = 127.0.0.1
    port = ${authPort}
  }
}
auth_mechanisms = plain login
service imap-login {
  ${isRoot ? '' : 'chroot ='}
  inet_listener imap {
    port = ${startTlsPort}
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
${isRoot ? '' : 'service anvil {\n  chroot =\n}\nservice stats {\n  chroot =\n}'}
`,
  )
  const server = spawn(program, ['-F', '-c', config], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await untilListening(port)
  await tellMailServer('Dovecot')

  const inboxOf = (name: string) => join(mail, name)
  let count = 0
  return {
    port,
    startTlsPort,
    certificate: await readFile(cert, 'utf8'),
    password,
    authPort,
    mail: { folder: mail, uid, gid },
    async deliver(name, box, mails, at) {
      const place = box === 'INBOX' ? inboxOf(name) : join(inboxOf(name), `.${box}`)
      for (const part of ['cur', 'new', 'tmp']) {
        await mkdir(join(place, part), { recursive: true })
      }
      for (const text of mails) {
        count += 1
        const file = `${1_700_000_000 + count}.M${count}P1.localhost`
        const raw = typeof text === 'string' ? Buffer.from(text.replaceAll('\n', '\r\n')) : text
        // No process for each: two thousand of them take minutes on a busy machine.
        await writeFile(join(place, 'tmp', file), raw)
        if (isRoot) await chown(join(place, 'tmp', file), uid, gid)
        if (at) await utimes(join(place, 'tmp', file), at, at)
        await rename(join(place, 'tmp', file), join(place, 'new', file))
      }
      if (isRoot) await run('chown', ['-R', `${user}:${group}`, inboxOf(name)])
    },
    async fill(name) {
      const large = join(inboxOf(name), 'cur', '1.M1P1.localhost:2,S')
      await mkdir(join(inboxOf(name), 'cur'), { recursive: true })
      await writeFile(large, 'Subject: Large\r\n\r\n')
      // A file with a hole: it takes no room on the disk.
      await truncate(large, roomOfUser)
      await rm(join(inboxOf(name), 'maildirsize'), { force: true })
      if (isRoot) await run('chown', ['-R', `${user}:${group}`, inboxOf(name)])
    },
    async renumber(name) {
      for (const file of [
        'dovecot-uidlist',
        'dovecot-uidvalidity',
        'dovecot.index.log',
        'dovecot.index.cache',
        'dovecot.index',
      ]) {
        await rm(join(inboxOf(name), file), { force: true })
      }
      await run('sh', ['-c', `rm -f ${inboxOf(name)}/dovecot-uidvalidity.*`])
    },
    async files(name) {
      const { stdout } = await run('sh', ['-c', `cd ${inboxOf(name)} && ls cur new`])
      return stdout.split('\n')
    },
    async stop() {
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export async function untilListening(port: number): Promise<void> {
  const { connect } = await import('node:net')
  for (let tries = 0; tries < 200; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Nobody answers on port ${port}`)
}

/** A key and a certificate for `localhost`. */
export async function certificateFor(folder: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', key, '-out', cert],
  ])
  return { key, cert }
}

/** For the closing lines of `npm test`, which tell what real mail servers it ran with. */
export async function tellMailServer(name: 'Dovecot' | 'Postfix'): Promise<void> {
  await mkdir('.cache/mail-servers', { recursive: true })
  await writeFile(`.cache/mail-servers/${name}`, '')
}
