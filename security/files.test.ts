import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { sendBytes } from '#server/test-server.ts'
import { keys } from '../supabase/tests/test-keys.ts'
import { ask } from './attacker.ts'

// That no path leads out of the folder of the client: server/pages.test.ts. Here the folder that there is
// something to steal from, and every part of the server that takes a path.

const { address, dataDir } = inject('attacked')
const secret = 'words that lie in a file'

beforeAll(() => writeFileSync(join(dataDir, 'outbox-secret.txt'), secret))

const ups = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '%252e%252e%252f',
  '..%c0%af',
  '%u002e%u002e/',
  '....//',
  '..;/',
]
const roots = [
  '/',
  '/assets/',
  '/app/',
  '/rest/v1/',
  '/rest/v1/rpc/',
  '/auth/v1/',
  '/calendar/',
  '/cards/',
  '/f/',
]

test.each(roots)(
  'from %s no path leads to a file of the data folder: 302, 400, 401, 404 or the page of the app',
  async (root) => {
    const port = Number(new URL(address).port)
    const targets = ['data/keys.json', 'data/outbox-secret.txt', 'data/database/PG_VERSION', 'log']
    const paths = [
      ...ups.flatMap((up) => targets.map((target) => `${root}${up}${target}`)),
      ...ups.map((up) => `${root}${up.repeat(12)}etc/passwd`),
      `${root}${dataDir}/keys.json`,
      `${root}file://${dataDir}/keys.json`,
      `${root}keys.json%00.ics`,
    ]
    for (const [place, path] of paths.entries()) {
      const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n`
      const who = `X-Forwarded-For: 172.30.0.${place}\r\napikey: ${keys.publishableKey}\r\n`
      const answer = await sendBytes(port, `${head}${who}\r\n`)
      expect(answer, path).toMatch(/^HTTP\/1\.1 (200 OK.*id="settings"|302|400|401|404) ?/s)
      for (const stolen of [keys.jwtSecret, keys.secretKey, secret, 'root:']) {
        expect(answer, path).not.toContain(stolen)
      }
    }
  },
)

test('no page and no answer gives away a secret key', async () => {
  for (const path of [
    '/',
    '/app',
    '/auth',
    '/health',
    '/auth/v1/settings',
    '/auth/v1/health',
    '/rest/v1/',
  ]) {
    const { text } = await ask(path)
    expect(text, path).not.toContain(keys.secretKey)
    expect(text, path).not.toContain(keys.jwtSecret)
  }
})
