import { connect, type Socket } from 'node:net'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { sendBytes } from '#server/test-server.ts'
import { keys } from '../supabase/tests/test-keys.ts'
import { ask, expectSound, type Person, signUp } from './attacker.ts'

// Bodies of 11 MB, announced or not: server/backend-routes.test.ts.

const { address } = inject('attacked')
const port = Number(new URL(address).port)
/** A busy machine is no failure; what is held up stays so for minutes. */
const patience = 15_000

/** Somebody else is served as if nothing were the matter. */
async function expectServed(person: Person): Promise<void> {
  const answers = await Promise.all([
    ask('/health'),
    ask('/app'),
    ask('/rest/v1/companies', { token: person.token }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(patience)
}

/** Connections that have sent this and nothing more. */
async function hold(count: number, sent: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          socket.once('error', reject)
          socket.once('connect', () => socket.write(sent, () => resolve()))
        }),
    ),
  )
  return sockets
}

describe('slow requests hold up nobody else', () => {
  test('300 that never end their headers', async () => {
    const person = await signUp()
    await hold(300, 'GET /rest/v1/companies HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    await expectServed(person)
  })

  test.each(['/rest/v1/companies', '/auth/v1/signup', '/rest/v1/rpc/dashboard'])(
    '100 to %s that never end their body',
    async (path) => {
      const person = await signUp()
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n`
      await hold(100, `${head}Authorization: Bearer ${person.token}\r\n\r\n{"name":"`)
      await expectServed(person)
    },
  )

  test('50 that never read their answer', async () => {
    const person = await signUp()
    const notes = 'x'.repeat(50_000)
    await person.client.from('contacts').insert(Array.from({ length: 20 }, () => ({ notes })))
    const sockets = await hold(
      50,
      `GET /rest/v1/contacts HTTP/1.1\r\nHost: x\r\napikey: ${keys.publishableKey}\r\nAuthorization: Bearer ${person.token}\r\n\r\n`,
    )
    for (const socket of sockets) socket.pause()
    await expectServed(person)
  })
})

describe('what is too big is refused, and nothing is kept of it', () => {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}`
  // Read in whatever way, this would be answered with 405 and the connection closed.
  const post = 'POST /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n'
  test.each([
    ['headers of 100 KB', 431, get('/', `X-Big: ${'x'.repeat(100_000)}`)],
    ['an address of 100 KB', 431, get(`/${'x'.repeat(100_000)}`)],
    ['10,000 headers', 431, get('/', 'a: b\r\n'.repeat(10_000))],
    ['two lengths', 400, `${post}Content-Length: 3\r\n\r\n{}`],
    ['a length and chunks', 400, `${post}Transfer-Encoding: chunked\r\n\r\n0`],
    ['a line that is no request', 400, 'x'.repeat(1000)],
  ])('%s: %i', async (_, status, sent) => {
    expect(await sendBytes(port, `${sent}\r\n\r\n`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  test('JSON of 100,000 levels, a list of 70,000 rows, a row of 10,000 columns: 400', async () => {
    const { token } = await signUp()
    const levels = 100_000
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, place) => [`c${place}`, 1]))
    for (const [path, body] of [
      ['companies', `{"name":${deep}}`],
      ['companies', deep],
      ['rpc/company_page', `{"filter":${deep}}`],
      ['rpc/quick_add_preview', `{"line":{"contact":${deep}}}`],
      ['companies', JSON.stringify(wide)],
      ['companies', JSON.stringify(Array.from({ length: 70_000 }, () => ({ name: 'x' })))],
    ] as const) {
      const answer = await ask(`/rest/v1/${path}`, { method: 'POST', body, token })
      expectSound(answer, path + body.slice(0, 30))
      expect(answer.status, path + body.slice(0, 30) + answer.text).toBe(400)
    }
    expect((await ask('/rest/v1/companies', { token })).json).toEqual([])
  })

  test('300 embedded tables, 100 levels of them, 500 groups: 400 before the database sees it', async () => {
    const { token } = await signUp()
    const embeds = Array.from({ length: 300 }, (_, place) => `a${place}:contacts(id)`)
    const open = 'contacts(companies!contacts_company_id_fkey('
    for (const search of [
      `select=${embeds}`,
      `select=${open.repeat(50)}id${'))'.repeat(50)}`,
      `or=${'(and'.repeat(500)}${')'.repeat(500)}`,
    ]) {
      const answer = await ask(`/rest/v1/companies?${search}`, { token })
      expect([answer.status, answer.json], search.slice(0, 60)).toMatchObject([
        400,
        { message: 'The request asks for too much at once.' },
      ])
    }
    // What is left of it takes no time.
    const most = `select=${open.repeat(2)}id${'))'.repeat(2)}`
    const answer = await ask(`/rest/v1/companies?${most}`, { token })
    expect([answer.status, answer.json]).toEqual([200, []])
    expect(answer.milliseconds).toBeLessThan(patience)
  })
})
