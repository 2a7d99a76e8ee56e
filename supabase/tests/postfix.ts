import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  certificateFor,
  type Dovecot,
  freePort,
  tellMailServer,
  untilListening,
} from './dovecot.ts'

const run = promisify(execFile)

/** A real SMTP server of the run's own, on loopback, which delivers into the mailboxes of a Dovecot. */
export type Postfix = {
  /** With TLS from the beginning, and with STARTTLS. */
  port: number
  startTlsPort: number
  /** The certificate of `localhost`. */
  certificate: string
  /** Larger mails are refused; in bytes. */
  mostBytes: number
  stop(): Promise<void>
}

const program = '/usr/sbin/postfix'
const programs = '/usr/lib/postfix/sbin'

/**
 * Takes mails for ada@own.example and bob@own.example, from whom the Dovecot lets in; the mailbox of full@own.example is full, and
 * nobody else exists there. Null where Postfix is not installed, or cannot be started: its first
 * process must be that of the system's administrator.
 */
export async function startPostfix(dovecot: Dovecot): Promise<Postfix | null> {
  if (!existsSync(program) || process.getuid?.() !== 0) return null
  const folder = await mkdtemp(join(tmpdir(), 'solo-postfix-'))
  await chmod(folder, 0o755)
  const [config, queue, data] = ['config', 'queue', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [config, queue, data]) await mkdir(each)
  await run('chown', ['postfix', data])
  const { key, cert } = await certificateFor(folder)
  const [port, startTlsPort] = [await freePort(), await freePort()]
  const mostBytes = 200_000
  await writeFile(
    join(config, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
daemon_directory = ${programs}
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = localhost
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
alias_maps =
alias_database =
local_recipient_maps =
biff = no
# Nothing ever leaves this machine.
default_transport = error:5.1.2 Nothing is sent on
relay_transport = error:5.1.2 Nothing is sent on
message_size_limit = ${mostBytes}
virtual_mailbox_limit = 0
mailbox_size_limit = 0
virtual_mailbox_domains = own.example
virtual_mailbox_base = ${dovecot.mail.folder}
virtual_mailbox_maps = texthash:${config}/users
virtual_minimum_uid = 1
virtual_uid_maps = static:${dovecot.mail.uid}
virtual_gid_maps = static:${dovecot.mail.gid}
virtual_transport = virtual
smtpd_tls_cert_file = ${cert}
smtpd_tls_key_file = ${key}
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${dovecot.authPort}
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access regexp:${config}/full, permit_sasl_authenticated, reject
`,
  )
  const users = ['ada', 'bob'].map((name) => `${name}@own.example ${name}/\n`)
  await writeFile(join(config, 'users'), users.join(''))
  await writeFile(join(config, 'full'), '/^full/ 552 5.2.2 The mailbox is full\n')
  const usual = 'unix - - n - -'
  await writeFile(
    join(config, 'master.cf'),
    `127.0.0.1:${port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
127.0.0.1:${startTlsPort} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite ${usual} trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap ${usual} proxymap
error ${usual} error
retry ${usual} error
discard ${usual} discard
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`,
  )
  await run(program, ['-c', config, 'start'])
  await untilListening(port)
  await tellMailServer('Postfix')
  return {
    port,
    startTlsPort,
    certificate: await readFile(cert, 'utf8'),
    mostBytes,
    async stop() {
      await run(program, ['-c', config, 'stop'])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
