import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'

const run = promisify(execFile)

type Refusal = { code: number; words: string }

/** A real SMTP server on loopback, which takes mails, refuses them or goes away. */
export type TestSmtp = {
  port: number
  /** The certificate of `localhost`. */
  certificate: string
  password: string
  /** What it has taken. */
  mails: { from: string; to: string[]; raw: string }[]
  /** What was tried: sign-ins, and mails of which at least the beginning came. */
  counts: { logins: number; begun: number }
  /** How it behaves from now on; all as usual if not said. */
  behave(behaviour?: Behaviour): void
  stop(): Promise<void>
}

type Behaviour = {
  rcpt?: (address: string) => Refusal | null
  data?: (raw: string) => Refusal | null
  login?: Refusal
  /** Cuts the connection in the middle of a mail, or when it has come whole and was not confirmed. */
  drop?: 'middle' | 'end'
}

function refusal({ code, words }: Refusal): Error {
  return Object.assign(new Error(words), { responseCode: code })
}

export async function startSmtp(options: { isStartTls?: boolean } = {}): Promise<TestSmtp> {
  const folder = await mkdtemp(join(tmpdir(), 'solo-smtp-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', keyFile, '-out', certFile],
  ])
  const [key, certificate] = [await readFile(keyFile, 'utf8'), await readFile(certFile, 'utf8')]
  await rm(folder, { recursive: true, force: true })
  const password = 'right-password'
  let behaviour: Behaviour = {}
  const mails: TestSmtp['mails'] = []
  const counts = { logins: 0, begun: 0 }
  const sockets = new Set<Socket>()
  const dropAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    secure: !options.isStartTls,
    key,
    cert: certificate,
    logger: false,
    onAuth({ password: reported }, _session, done) {
      counts.logins += 1
      if (behaviour.login) done(refusal(behaviour.login))
      else if (reported === password) done(null, { user: 'user' })
      else done(refusal({ code: 535, words: 'Wrong password' }))
    },
    onRcptTo({ address }, _session, done) {
      const answer = behaviour.rcpt?.(address)
      done(answer ? refusal(answer) : null)
    },
    onData(stream, { envelope }, done) {
      counts.begun += 1
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => {
        parts.push(part)
        if (behaviour.drop === 'middle') dropAll()
      })
      stream.on('end', () => {
        if (behaviour.drop) return dropAll()
        const raw = Buffer.concat(parts).toString('latin1')
        const answer = behaviour.data?.(raw)
        if (answer) return done(refusal(answer))
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
        done(null)
      })
    },
  })
  server.on('error', () => {})
  const inner = await listening(server.server)
  // In front of it, so that a connection can be cut at any moment.
  const front = createServer((client) => {
    const behind = connectTo(inner, '127.0.0.1')
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        behind.destroy()
      })
    }
    client.pipe(behind).pipe(client)
  })
  const port = await listening(front)
  return {
    port,
    certificate,
    password,
    mails,
    counts,
    behave(next = {}) {
      behaviour = next
    },
    async stop() {
      dropAll()
      await new Promise<void>((resolve) => front.close(() => resolve()))
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function listening(server: {
  listen(port: number, host: string, done: () => void): unknown
  address(): unknown
}): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port =
        typeof address === 'object' && address && 'port' in address ? Number(address.port) : 0
      resolve(port)
    })
  })
}
