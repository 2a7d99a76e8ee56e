import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, it, vi } from 'vitest'
import type { Doubt } from '#domain/lead-doubts.ts'
import type { ShownForm } from '#domain/lead-form.ts'
import type { Lead } from '#domain/lead-reading.ts'
import { DatabaseAway } from './backend/public-error.ts'
import type { SharedAttempts } from './backend/shared-attempts.ts'
import { fakeBackend, rawRequest, sendBytes, serveApp } from './test-server.ts'

const id = 'a1'.repeat(16)
const path = `/f/${id}`

const form: ShownForm = {
  id: '11111111-1111-4111-8111-111111111111',
  account: '22222222-2222-4222-8222-222222222222',
  email: 'owner@example.com',
  name: 'Website',
  title: 'Get in <touch>',
  intro: 'We answer & call.',
  fields: [
    { name: 'first_name', label: 'Your "name"', is_required: false },
    { name: 'email', label: 'Email', is_required: true },
    { name: 'message', label: 'Message', is_required: false },
  ],
  thanks: null,
  redirect_url: null,
  own: [],
}

type Taken = { lead: Lead; doubts: Doubt[] }

async function serveForm(
  changes: Partial<ShownForm> = {},
  env = {},
  attempts: SharedAttempts | null = null,
) {
  const taken: Taken[] = []
  const backend = { ...fakeBackend(), attempts }
  const shown = { ...form, ...changes }
  backend.leads.form = async (given) => (given === id ? shown : null)
  backend.leads.submit = async (_form, _address, lead, doubts) => {
    taken.push({ lead, doubts })
    return { status: doubts.length > 0 ? 'waiting' : 'accepted' }
  }
  const { port } = await serveApp({ env, backend })
  const send = (body: string, headers: Record<string, string> = {}) =>
    rawRequest(port, path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  return { port, backend, taken, send }
}

const json = { 'content-type': 'application/json' }

describe('/f', () => {
  it('shows the form on a page that runs nothing, loads nothing and keeps nothing', async () => {
    const { port } = await serveForm()
    const { status, headers, body } = await rawRequest(port, path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).not.toHaveProperty('set-cookie')
    const page = body.toString()
    expect(page).toContain('<h1>Get in &lt;touch&gt;</h1>')
    expect(page).toContain('Your &quot;name&quot;')
    expect(page).not.toMatch(/<script|https?:\/\//)
  })

  it.each([
    '/f/',
    '/f/x',
    `/f/${'0'.repeat(32)}`,
    `${path}/`,
    `${path}/more`,
    `/f/${id.toUpperCase()}`,
  ])('knows no form at %s', async (other) => {
    const { port, taken } = await serveForm()
    expect((await rawRequest(port, other)).status).toBe(404)
    const sent = await rawRequest(port, other, { method: 'POST', headers: json, body: '{}' })
    expect([sent.status, JSON.parse(sent.body.toString()).code]).toEqual([404, 'not_found'])
    expect(taken).toEqual([])
  })

  it('takes what a form on another site sends, and thanks', async () => {
    const { port, send, taken } = await serveForm()
    const { status, headers } = await send(
      'first_name=Ada&email=ada%40example.com&message=Hi%0Athere',
    )
    expect([status, headers.location]).toEqual([303, `${path}/thanks`])
    expect(taken).toMatchObject([
      { lead: { contact: { first_name: 'Ada', email: 'ada@example.com' } }, doubts: [] },
    ])
    const thanks = await rawRequest(port, `${path}/thanks`)
    expect(thanks.body.toString()).toContain('Thank you. We’ll be in touch.')
  })

  it('goes where the owner wants, which the page allows', async () => {
    const { port, send } = await serveForm({ redirect_url: 'https://acme.example/thanks?x=1' })
    const { headers } = await send('email=a%40b.c')
    expect(headers.location).toBe('https://acme.example/thanks?x=1')
    const page = await rawRequest(port, path)
    expect(page.headers['content-security-policy']).toContain(
      "form-action 'self' https://acme.example;",
    )
  })

  it('goes to an address with letters of any language', async () => {
    const { send } = await serveForm({ redirect_url: 'https://bücher.example/dank für alles' })
    const { status, headers } = await send('email=a%40b.c')
    expect([status, headers.location]).toEqual([
      303,
      'https://xn--bcher-kva.example/dank%20f%C3%BCr%20alles',
    ])
  })

  it('keeps what was typed when something is wrong', async () => {
    const { send, taken } = await serveForm()
    const { status, body } = await send(
      'first_name=%22%3E%3Cb%3E&email=nobody&message=%0A%3C%2Ftextarea%3E',
    )
    expect(status).toBe(422)
    const page = body.toString()
    expect(page).toContain('Nothing was sent yet.')
    expect(page).toContain('Enter a valid email address, such as ada@example.com.')
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;"')
    expect(page).toContain('>\n\n&lt;/textarea&gt;</textarea>')
    expect(taken).toEqual([])
  })

  it('answers programs in JSON', async () => {
    const { send, taken } = await serveForm()
    const fine = await send('{"email":"a@b.c","message":5}', json)
    expect([fine.status, fine.body.toString()]).toEqual([200, '{"status":"received"}'])
    expect(taken[0]?.lead.lines).toContainEqual({ label: 'Message', text: '5' })
    const cases: [string, Record<string, string>, number, string][] = [
      ['{"email":"x"}', json, 422, 'Some fields cannot be read. Nothing was sent.'],
      ['{"email":"a@b.c","rank":1}', json, 400, 'There is no field called rank. Nothing was sent.'],
      ['[1]', json, 400, 'The request must be a JSON object. Nothing was sent.'],
      ['{', json, 400, 'The request must be a JSON object. Nothing was sent.'],
      [
        'x',
        { 'content-type': 'text/plain', accept: 'application/json' },
        415,
        'Send the form as application/x-www-form-urlencoded or application/json. Nothing was sent.',
      ],
    ]
    for (const [body, headers, status, message] of cases) {
      const answer = await send(body, headers)
      expect([answer.status, JSON.parse(answer.body.toString()).message]).toEqual([status, message])
    }
    expect(taken).toHaveLength(1)
  })

  it('doubts what fills in the hidden field, is sent at once, or has a stamp of its own making', async () => {
    const { port, send, taken } = await serveForm()
    const page = (await rawRequest(port, path)).body.toString()
    const [, stamp = ''] = /name="stamp" value="([^"]+)"/.exec(page) ?? []
    const cases: [string, Doubt[]][] = [
      ['homepage=x', ['trap']],
      [`stamp=${stamp}`, ['fast']],
      // The proof of another moment, old or recent.
      [`stamp=${stamp.replace(/^./, '0')}`, ['stamp']],
      [`stamp=${stamp.replace(/^[^.]+/, (Date.now() - 5000).toString(36))}`, ['stamp']],
      ['stamp=0.x', ['stamp']],
    ]
    for (const [more, doubts] of cases) {
      const { status, headers } = await send(`email=a%40b.c&${more}`)
      // Whoever sends spam learns nothing.
      expect([status, headers.location]).toEqual([303, `${path}/thanks`])
      expect(taken.pop()?.doubts).toEqual(doubts)
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5000 })
    await send(`email=a%40b.c&stamp=${stamp}`)
    vi.useRealTimers()
    expect(taken.pop()?.doubts).toEqual([])
  })

  it('takes so many from one address, then says when to try again, with what was typed', async () => {
    const { send, taken } = await serveForm({}, { RATE_LIMIT_FORM: '2' })
    for (let count = 0; count < 2; count += 1) await send('email=a%40b.c')
    const { status, headers, body } = await send('email=kept%40b.c')
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true])
    expect(body.toString()).toContain('Nothing was sent; please try again in 15 minutes.')
    expect(body.toString()).toContain('value="kept@b.c"')
    expect((await send('{"email":"a@b.c"}', json)).status).toBe(429)
    expect(taken).toHaveLength(2)
  })

  it('is counted by all processes on a database together, as registrations of programs are', async () => {
    const counters = new Map<string, RateLimiterMemory>()
    const attempts: SharedAttempts = (kind, points, duration) => {
      const counter = counters.get(kind) ?? new RateLimiterMemory({ points, duration })
      counters.set(kind, counter)
      return counter
    }
    const env = { RATE_LIMIT_FORM: '2', RATE_LIMIT_SIGN_UP: '2' }
    const processes = [await serveForm({}, env, attempts), await serveForm({}, env, attempts)]
    const statuses: number[] = []
    const registrations: number[] = []
    for (const { port, send } of [...processes, ...processes]) {
      statuses.push((await send('email=a%40b.c')).status)
      const asked = { method: 'POST', headers: json, body: '{}' }
      registrations.push((await rawRequest(port, '/oauth/register', asked)).status)
    }
    expect(statuses).toEqual([303, 303, 429, 429])
    expect(registrations).toEqual([400, 400, 429, 429])
  })

  it('asks the database no more often for one address than other requests may', async () => {
    const { port, backend } = await serveForm({}, { RATE_LIMIT_ADDRESS: '2' })
    const asked = vi.spyOn(backend.leads, 'form')
    for (const status of [200, 200, 429]) {
      const answer = await rawRequest(port, path)
      expect(answer.status).toBe(status)
      if (status === 429) expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    }
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('refuses what is too big, and other methods', async () => {
    const { port, taken } = await serveForm()
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 600000\r\n\r\n`
    expect(await sendBytes(port, head, '{')).toMatch(/^HTTP\/1.1 413 /)
    expect((await rawRequest(port, path, { method: 'PUT' })).status).toBe(405)
    expect(taken).toEqual([])
  })

  it('says so when the database is away or refuses', async () => {
    const { backend, send } = await serveForm()
    backend.leads.submit = async () => ({
      refusal: Response.json({ message: 'No more. Nothing was sent.' }, { status: 429 }),
    })
    const refused = await send('email=typed%40b.c')
    expect([refused.status, refused.body.toString()]).toEqual([
      429,
      expect.stringContaining('No more. Nothing was sent.'),
    ])
    expect(refused.body.toString()).toContain('value="typed@b.c"')
    backend.leads.submit = async () => Promise.reject(new DatabaseAway())
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await send('email=a%40b.c')).status).toBe(503)
  })
})

describe('/cards', () => {
  const token = 'b2'.repeat(32)

  async function serveCards() {
    const backend = fakeBackend()
    const asked: (string | null)[] = []
    const card = {
      last_name: null,
      nickname: null,
      email: null,
      phone_number: null,
      role_title: null,
      birthday: null,
      company_name: null,
      notes: null,
    }
    backend.leads.cards = async (given, after) => {
      asked.push(after)
      if (given !== token) return null
      const first_name = after ? 'Second' : 'First'
      return { mark: 'm', rows: [{ ...card, first_name }], next: after ? null : 'next' }
    }
    const { port } = await serveApp({ backend })
    return { port, asked }
  }

  it('sends the contacts page by page as one file, to whoever has the token', async () => {
    const { port, asked } = await serveCards()
    const { status, headers, body } = await rawRequest(port, `/cards/${token}.vcf`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/vcard;charset=utf-8',
      'content-disposition': 'inline; filename="solo-crm.vcf"',
      'cache-control': 'private, max-age=300',
    })
    expect(body.toString().match(/FN:\w+/g)).toEqual(['FN:First', 'FN:Second'])
    expect(body.toString()).toMatch(/END:VCARD\r\nBEGIN:VCARD/)
    expect(asked).toEqual([null, 'next'])
    const again = await rawRequest(port, `/cards/${token}.vcf`, {
      headers: { 'if-none-match': headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
    const head = await rawRequest(port, `/cards/${token}.vcf`, { method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
  })

  it.each(['/cards/', '/cards/x.vcf', `/cards/${'0'.repeat(64)}.vcf`, `/cards/${token}`])(
    'refuses %s',
    async (path) => {
      const { port } = await serveCards()
      expect((await rawRequest(port, path)).status).toBe(404)
    },
  )
})
