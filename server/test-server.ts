import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp } from './app.ts'
import type { Backend } from './backend/start-backend.ts'
import { listen } from './listen.ts'
import { readSettings } from './settings.ts'

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'solo-crm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A built client in miniature; further files by their path. */
export function writeClient(files: Record<string, string | Uint8Array> = {}): string {
  const folder = join(temporaryFolder(), 'client')
  const all = {
    'index.html': '<h1>landing</h1>',
    'privacy.html': '<h1>privacy</h1>',
    'terms.html': '<h1>terms</h1>',
    'app.html': '<main></main><script type="application/json" id="settings">{}</script>',
    'assets/app-1a2b.js': 'console.log("plain")',
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Stands in for the database where a test is about HTTP only; keeps what it was asked. */
export function fakeBackend(answer: () => Response | Promise<Response> = () => Response.json({})) {
  const asked: { method: string; path: string; body: string; peer: string | null }[] = []
  const backend: Backend = {
    attempts: null,
    publicKey: 'sb_publishable_test',
    async fetch(req, peer) {
      const { pathname, search } = new URL(req.url)
      asked.push({ method: req.method, path: pathname + search, body: await req.text(), peer })
      return answer()
    },
    calendarEvents: async () => null,
    leads: {
      form: async () => null,
      submit: async () => null,
      sign: (text) => createHash('sha256').update(text).digest('base64url'),
      cards: async () => null,
    },
    grants: {
      register: async () => null,
      client: async () => null,
      allow: async () => false,
      exchange: async () => ({ error: 'unknown' }),
      refresh: async () => ({ error: 'unknown' }),
      revoke: async () => {},
      tokenAt: (token) => token,
    },
    accountOf: () => null,
    accountOfToken: async () => null,
    agenda: { isOffered: false, accountAt: () => null, end: async () => {} },
    mail: null,
    live: { admit: async () => null, follow: () => () => {} },
    health: async () => ({ status: 'ok' }),
    close: async () => {},
  }
  return { ...backend, asked }
}

/** The whole app on a free port of this machine; closed after the test. */
export async function serveApp(
  options: { env?: Record<string, string>; backend?: Backend | null; clientDir?: string } = {},
) {
  const app = createApp({
    settings: readSettings(options.env ?? {}),
    backend: options.backend === undefined ? fakeBackend() : options.backend,
    clientDir: options.clientDir ?? writeClient(),
  })
  const server = await listen({ host: '127.0.0.1', port: 0, answer: app.fetch })
  onTestFinished(() => server.close(100))
  return server
}

type RawAnswer = { status: number; headers: Record<string, string>; body: Buffer }

/** A request whose path and headers go out exactly as written; fetch would tidy them up. */
export function rawRequest(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      const entries = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
      resolve({
        status: answer.statusCode ?? 0,
        headers: Object.fromEntries(entries),
        body: Buffer.concat(chunks),
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends bytes over a bare socket and gives back everything that came until it closed. */
export function sendBytes(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    // The server may close while we still write: what it said before counts.
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    for (const piece of pieces) socket.write(piece)
  })
}
