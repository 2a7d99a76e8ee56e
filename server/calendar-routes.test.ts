import ICAL from 'ical.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseAway, unreachable } from './backend/public-error.ts'
import { type CalendarEvents, calendarFile } from './calendar-file.ts'
import { fakeBackend, rawRequest, serveApp } from './test-server.ts'

const token = 'a1'.repeat(32)
const feed = `/calendar/${token}.ics`

const task = {
  id: '11111111-1111-4111-8111-111111111111',
  title: 'Call Ada',
  description: null,
  priority: 'high' as const,
  due_date: '2026-11-20T09:15:00+00:00',
  created_at: '2026-11-01T08:00:00+00:00',
  updated_at: '2026-11-01T08:02:00.5+00:00',
  due_day: null,
  contact_id: null,
  company_id: null,
  contact: null,
  company_name: null,
  deal_name: null,
}

const deal = {
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Renewal',
  value: 1200.5,
  currency: 'USD',
  expected_close_date: '2026-12-24',
  created_at: '2026-11-01T08:00:00+00:00',
  updated_at: '2026-11-01T08:00:00+00:00',
  company_name: 'Acme',
}

const publicUrl = 'https://crm.example.com'

async function serveCalendar(events: CalendarEvents = { tasks: [task], deals: [deal] }, env = {}) {
  const asked: string[] = []
  const backend = fakeBackend()
  backend.calendarEvents = async (given) => {
    asked.push(given)
    return given === token ? events : null
  }
  const { port } = await serveApp({ env: { PUBLIC_URL: publicUrl, ...env }, backend })
  return { port, asked, backend }
}

function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}

function parseOne(events: Partial<CalendarEvents>) {
  const [event] = parse(calendarFile({ tasks: [], deals: [], ...events }, publicUrl))
  if (!event) throw new Error('The file holds no event.')
  return event
}

describe('/calendar', () => {
  it.each([
    '/calendar/',
    '/calendar/x.ics',
    `/calendar/${'0'.repeat(64)}.ics`,
    `/calendar/${token}`,
    `/calendar/${token.toUpperCase()}.ics`,
    `/calendar/${token}0.ics`,
    `/calendar/${token}.ics/`,
    `/calendar/a/${token}.ics`,
    `/calendar/%61${token.slice(1)}x.ics`,
    '/calendar/%E0%A4%A.ics',
    "/calendar/' or true --.ics".replaceAll(' ', '%20'),
  ])('refuses without a right token: %s', async (path) => {
    const { port } = await serveCalendar()
    const refused = await rawRequest(port, path)
    const unknown = await rawRequest(port, `/calendar/${'f'.repeat(64)}.ics`)
    const { date: _one, ...headers } = refused.headers
    const { date: _other, ...expected } = unknown.headers
    expect([refused.status, refused.body.toString()]).toEqual([404, 'Not found'])
    expect(headers).toEqual(expected)
    expect(headers['cache-control']).toBe('no-store')
  })

  it('asks the database for nothing but tokens', async () => {
    const { port, asked } = await serveCalendar()
    for (const path of ['/calendar/x.ics', '/calendar/', `/calendar/${token}`]) {
      await rawRequest(port, path)
    }
    expect(asked).toEqual([])
    await rawRequest(port, feed)
    expect(asked).toEqual([token])
  })

  it('gives the file, for the program of its owner alone', async () => {
    const { port } = await serveCalendar()
    const { status, headers, body } = await rawRequest(port, feed)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, max-age=300',
      'content-disposition': 'inline; filename="solo-crm.ics"',
      'content-length': String(body.length),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(parse(body.toString()).map(({ uid }) => uid)).toEqual([
      `${task.id}@solo-crm`,
      `${deal.id}@solo-crm`,
    ])
  })

  it('answers HEAD like GET, without the file', async () => {
    const { port } = await serveCalendar()
    const whole = await rawRequest(port, feed)
    const head = await rawRequest(port, feed, { method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(head.headers['content-length']).toBe(String(whole.body.length))
    expect(head.headers.etag).toBe(whole.headers.etag)
    expect((await rawRequest(port, '/calendar/x.ics', { method: 'HEAD' })).status).toBe(404)
  })

  it('says when nothing has changed', async () => {
    const events = { tasks: [task], deals: [] }
    const { port } = await serveCalendar(events)
    const { etag = '' } = (await rawRequest(port, feed)).headers
    const again = await rawRequest(port, feed, { headers: { 'If-None-Match': etag } })
    expect([again.status, again.body.length]).toEqual([304, 0])
    events.tasks = [{ ...task, title: 'Call Bob' }]
    const changed = await rawRequest(port, feed, { headers: { 'If-None-Match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s', async (method) => {
    const { port, asked } = await serveCalendar()
    const answer = await rawRequest(port, feed, { method })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(asked).toEqual([])
  })

  it('is not there where a hosted project holds the data', async () => {
    const env = { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'anon' }
    const { port } = await serveApp({ env, backend: null })
    const answer = await rawRequest(port, feed)
    expect([answer.status, answer.body.toString()]).toEqual([404, 'Not found'])
  })

  it('tells neither the client nor the log what failed', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    const { port, backend } = await serveCalendar()
    backend.calendarEvents = () => Promise.reject(new Error(`secret ${token}`))
    const answer = await rawRequest(port, feed)
    expect(answer.status).toBe(500)
    expect(answer.body.toString()).not.toMatch(/secret|a1a1/)
    expect(written.mock.calls.join()).not.toMatch(/secret|a1a1/)
  })

  it('says that the database is away, as every other address does, and counts it as no guess', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    const { port, backend } = await serveCalendar(undefined, { RATE_LIMIT_SIGN_IN: '1' })
    backend.calendarEvents = () => Promise.reject(new DatabaseAway())
    for (let count = 0; count < 3; count += 1) {
      const { status, headers, body } = await rawRequest(port, feed)
      expect([status, body.toString()]).toEqual([503, unreachable.message])
      expect(headers['cache-control']).toBe('no-store')
    }
  })

  it('stops whoever guesses, and counts nobody who has the address', async () => {
    const { port, asked } = await serveCalendar(undefined, { RATE_LIMIT_SIGN_IN: '3' })
    for (let count = 0; count < 5; count += 1) {
      expect((await rawRequest(port, feed)).status).toBe(200)
    }
    const guesses = Array.from({ length: 8 }, (_, index) => `/calendar/${index}.ics`)
    const answers = await Promise.all(guesses.map((path) => rawRequest(port, path)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([404, 404, 404, 429, 429, 429, 429, 429])
    // Whoever had it before guesses at the same address still has it.
    expect((await rawRequest(port, feed)).status).toBe(200)
    const refused = await rawRequest(port, `/calendar/${'b'.repeat(64)}.ics`)
    expect([refused.status, refused.body.toString()]).toEqual([
      429,
      'Too many attempts. Please wait 15 minutes and try again.',
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890)
    expect(asked).toHaveLength(6)
  })
})

describe('calendarFile', () => {
  it('has a task as half an hour at its due time, with an alarm then', () => {
    const event = parseOne({ tasks: [task] })
    expect(event.startDate.toJSDate()).toEqual(new Date('2026-11-20T09:15:00Z'))
    expect(event.endDate.toJSDate()).toEqual(new Date('2026-11-20T09:45:00Z'))
    expect([event.uid, event.summary, event.sequence]).toEqual([
      `${task.id}@solo-crm`,
      'Call Ada',
      120,
    ])
    const alarm = event.component.getFirstSubcomponent('valarm')
    expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('PT0S')
    expect(alarm?.getFirstPropertyValue('description')).toBe('Call Ada')
    const values = ['priority', 'transp', 'last-modified', 'url'].map((name) =>
      String(event.component.getFirstPropertyValue(name)),
    )
    expect(values).toEqual([
      '3',
      'TRANSPARENT',
      '2026-11-01T08:02:00Z',
      'https://crm.example.com/app/tasks',
    ])
  })

  it('has a task that is due on a day as that whole day, with an alarm in its morning', () => {
    vi.stubEnv('TZ', 'Pacific/Kiritimati')
    onTestFinished(() => void vi.unstubAllEnvs())
    const wholeDay = { ...task, due_date: '2026-11-21T04:59:59+00:00', due_day: '2026-11-20' }
    const event = parseOne({ tasks: [wholeDay] })
    expect([event.startDate.isDate, String(event.startDate), String(event.endDate)]).toEqual([
      true,
      '2026-11-20',
      '2026-11-21',
    ])
    const alarm = event.component.getFirstSubcomponent('valarm')
    const trigger = alarm?.getFirstProperty('trigger')
    // Counted from its end, the alarm would come in the next morning.
    expect([String(trigger?.getFirstValue()), trigger?.getParameter('related')]).toEqual([
      'PT9H',
      'START',
    ])
  })

  it('says what a task is about, with the way to its records', () => {
    const about = {
      description: 'Bring the offer.',
      contact_id: 'c1',
      contact: { first_name: 'Ada', last_name: 'Lovelace' },
      company_id: 'k1',
      company_name: 'Acme, Inc.',
      deal_name: 'Renewal',
    }
    expect(parseOne({ tasks: [{ ...task, ...about }] }).description).toBe(
      [
        'Bring the offer.',
        '',
        'Contact: Ada Lovelace',
        'https://crm.example.com/app/contacts/c1',
        'Company: Acme, Inc.',
        'https://crm.example.com/app/companies/k1',
        'Deal: Renewal',
        'Priority: High',
        'Tasks: https://crm.example.com/app/tasks',
      ].join('\n'),
    )
  })

  it.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'has an expected close as a whole day, in %s too',
    (zone) => {
      vi.stubEnv('TZ', zone)
      onTestFinished(() => void vi.unstubAllEnvs())
      const event = parseOne({ deals: [deal] })
      expect(event.summary).toBe('Expected close: Renewal ($1,200.50)')
      expect([event.startDate.isDate, String(event.startDate), String(event.endDate)]).toEqual([
        true,
        '2026-12-24',
        '2026-12-25',
      ])
      expect(event.description).toBe('Company: Acme\nDeals: https://crm.example.com/app/deals')
      expect(event.component.getFirstSubcomponent('valarm')).toBeNull()
    },
  )

  it.each([
    'Commas, semicolons; colons: and "quotes"',
    'A backslash \\ and one before n: \\n',
    'Line one\nline two\n\nline four',
    'END:VEVENT\nBEGIN:VEVENT\nSUMMARY:not an event',
    'عرض السعر للعميل، שלום עולם; 見積書を送る',
    '👩‍👩‍👧 🎉 ü'.repeat(60),
    `${'x'.repeat(500)} ${'ß'.repeat(500)}`,
  ])('keeps every letter: %s', (text) => {
    const file = calendarFile(
      { tasks: [{ ...task, title: text, description: text }], deals: [{ ...deal, name: text }] },
      publicUrl,
    )
    const events = parse(file)
    expect(events).toHaveLength(2)
    expect(events[0]?.summary).toBe(text)
    expect(events[0]?.description.startsWith(`${text}\n\nPriority`)).toBe(true)
    expect(events[1]?.summary).toBe(`Expected close: ${text} ($1,200.50)`)
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  })

  it('drops what the format cannot hold', () => {
    const event = parseOne({
      tasks: [{ ...task, title: 'Bell\u0007 and\u001b\u0085 more\r\nhere' }],
    })
    expect(event.summary).toBe('Bell and more\nhere')
  })

  it('is a calendar without events where there is nothing to do', () => {
    const file = calendarFile({ tasks: [], deals: [] }, publicUrl)
    const calendar = new ICAL.Component(ICAL.parse(file))
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Solo CRM')
    expect(calendar.getAllSubcomponents()).toEqual([])
    expect(file).toBe(calendarFile({ tasks: [], deals: [] }, publicUrl))
  })
})
