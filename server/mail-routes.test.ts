import { describe, expect, it, vi } from 'vitest'
import type { MailDesk } from './mailbox/mail-desk.ts'
import { fakeBackend, serveApp } from './test-server.ts'

const ada = '4b7b0b4e-0000-4000-8000-00000000000a'
const mail = '4b7b0b4e-0000-4000-8000-000000000001'
const account = {
  address: 'ada@acme.example',
  login: null,
  imap_host: 'imap.acme.example',
  imap_port: 993,
  imap_security: 'tls',
  smtp_host: null,
  smtp_port: 465,
  smtp_security: 'tls',
}

type Call = [name: keyof MailDesk, ...args: unknown[]]

/** The server with a desk that notes what it was asked; the token says who asks, and the database whether it is one. */
async function serve(
  options: {
    desk?: Partial<MailDesk>
    rows?: unknown
    status?: number
    owner?: string | null
  } = {},
) {
  const calls: Call[] = []
  const note =
    <Answer>(name: keyof MailDesk, answer: Answer) =>
    async (...args: unknown[]): Promise<Answer> => {
      calls.push([name, ...args])
      return answer
    }
  const status = options.status ?? 200
  const backend = fakeBackend(() => Response.json(options.rows ?? [], { status }))
  backend.accountOf = ({ headers }) =>
    headers.get('authorization') === 'Bearer ada' ? (options.owner ?? ada) : null
  backend.mail = {
    isReady: true,
    rule: { allowPrivate: false },
    find: note('find', { provider: null, password: '', isOAuthOnly: false }),
    test: note('test', { imap: null, smtp: null }),
    keep: note('keep', undefined),
    wouldLock: note('wouldLock', false),
    attachment: note('attachment', null),
    job: { work: async () => undefined, pause: () => null },
    outbox: { work: async () => undefined, pause: () => null },
    close: async () => {},
    ...options.desk,
  }
  const { port } = await serveApp({ backend })
  async function post(path: string, body: unknown, token = 'ada') {
    const answer = await fetch(`http://127.0.0.1:${port}/mail/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return answer
  }
  return { post, calls, backend, port }
}

const asks: [string, unknown][] = [
  ['find', { address: 'ada@acme.example' }],
  ['test', { account, password: 'secret' }],
  ['save', { account, password: 'secret' }],
  ['attachment', { mail, part: '2' }],
  ['picture', { url: 'https://pictures.example/x.png' }],
  ['anything', {}],
]

describe('/mail/v1', () => {
  it.each(asks)(
    '%s refuses without a session, with a forged one, and with one that has ended',
    async (path, body) => {
      const { post, calls } = await serve()
      const forged = await post(path, body, 'eve')
      expect(forged.status).toBe(401)
      expect(forged.headers.get('cache-control')).toBe('no-store')
      const ended = await serve({ status: 401 })
      expect((await ended.post(path, body)).status).toBe(401)
      const away = await serve({ status: 503 })
      expect((await away.post(path, body)).status).toBe(503)
      expect([...calls, ...ended.calls, ...away.calls]).toEqual([])
    },
  )

  it.each([
    ['find', { address: 'nobody' }],
    ['find', 'no json'],
    ['test', { account: { ...account, imap_port: 0 }, password: 'x' }],
    ['test', { account: { ...account, imap_host: 'a b' }, password: 'x' }],
    ['save', { account: { ...account, address: '' }, password: 'x' }],
    ['save', { account, password: null }],
    ['save', { account: { ...account, imap_security: 'none' }, password: 'x' }],
    ['attachment', { mail: 'x', part: '2' }],
    ['attachment', { mail, part: '2'.repeat(51) }],
    ['attachment', null],
  ])('%s answers bad input %j in words, and does nothing', async (path, body) => {
    const { post, calls } = await serve()
    const answer = await post(path, body)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { message: string }).message).toMatch(/^[A-Z].*\.$/)
    expect(calls).toEqual([])
  })

  it('gives out an attachment of whoever asks alone, as bytes that no browser shows', async () => {
    const bytes = new TextEncoder().encode('<script>1</script>')
    const content = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes)
          controller.close()
        },
      })
    const owners: string[] = []
    const { post } = await serve({
      desk: {
        attachment: async (owner) => {
          owners.push(owner)
          return { content: content() }
        },
      },
    })
    // Whose it is, the token says, whatever else is sent.
    const answer = await post('attachment', { mail, part: '2', owner: 'eve', user_id: 'eve' })
    expect(owners).toEqual([ada])
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toBe('attachment')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe('<script>1</script>')
    const gone = await (await serve()).post('attachment', { mail, part: '2' })
    expect(gone.status).toBe(404)
  })

  it('does not pass off as whole what broke off on the way', async () => {
    const { post } = await serve({
      desk: {
        attachment: async () => ({
          content: new ReadableStream<Uint8Array>({
            start: (controller) => controller.enqueue(new Uint8Array(100)),
            pull: (controller) => controller.error(new Error('lost')),
          }),
        }),
      },
    })
    await expect(
      post('attachment', { mail, part: '2' }).then((answer) => answer.blob()),
    ).rejects.toThrow()
  })

  it('saves an account that is not there any more, or another’s, for nobody', async () => {
    const { post, calls } = await serve({ rows: [] })
    const answer = await post('save', { account: { ...account, id: mail }, password: 'secret' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      message: 'This mailbox no longer exists. Nothing was saved.',
    })
    expect(calls).toEqual([])
  })

  it('asks for the password again where its servers change, before anything is saved', async () => {
    const asked: unknown[] = []
    const { post, backend } = await serve({
      desk: {
        wouldLock: async (changed) => {
          asked.push(changed)
          return true
        },
      },
    })
    const changed = { ...account, id: mail, smtp_port: 587 }
    const answer = await post('save', { account: changed, password: null })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/Enter it again/) })
    expect(asked).toMatchObject([{ id: mail, user_id: ada, smtp_port: 587 }])
    expect(backend.asked.map(({ method }) => method)).toEqual(['GET'])
  })

  it('loads a few attachments of an account at once; others wait, and too many are refused', async () => {
    const ends: (() => void)[] = []
    const { post } = await serve({
      desk: {
        attachment: async () => ({
          content: new ReadableStream<Uint8Array>({
            start(controller) {
              ends.push(() => {
                controller.enqueue(new Uint8Array(1))
                controller.close()
              })
            },
          }),
        }),
      },
    })
    const asked = Array.from({ length: 23 }, () => post('attachment', { mail, part: '2' }))
    await vi.waitFor(() => expect(ends).toHaveLength(3))
    const refused = await post('attachment', { mail, part: '2' })
    expect(refused.status).toBe(429)
    for (let done = 0; done < asked.length; done += 1) {
      await vi.waitFor(() => expect(ends.length).toBeGreaterThan(done))
      expect(ends.length).toBeLessThanOrEqual(done + 3)
      ends[done]?.()
      await (await asked[done])?.arrayBuffer()
    }
  })

  it('keeps no password where there is no key, and says what is missing', async () => {
    const { post, calls, backend } = await serve({ desk: { isReady: false } })
    const answer = await post('save', { account, password: 'secret' })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('MAIL_KEY')
    expect(calls).toEqual([])
    expect(backend.asked.map(({ method }) => method)).toEqual(['GET'])
  })

  it('stops whoever tries passwords, and goes on to show pictures', async () => {
    const { post } = await serve()
    const statuses: number[] = []
    for (let tries = 0; tries < 31; tries += 1) {
      statuses.push((await post('test', { account, password: `p${tries}` })).status)
    }
    expect(statuses.slice(-2)).toEqual([200, 429])
    expect((await post('picture', { url: 'http://127.0.0.1/x.png' })).status).toBe(404)
  })
})
