import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { takeEarlyAnswer } from './first-data.ts'

const url = 'http://127.0.0.1/rest/v1/rpc/contact_page'
const signed = { body: '{}', headers: { Authorization: 'Bearer mine' } }

function early(answer: Promise<Response>, at = Date.now()): void {
  answer.catch(() => {})
  window.firstData = [{ url, body: '{}', token: 'mine', answer, at }]
}

afterEach(() => {
  delete window.firstData
  localStorage.clear()
  document.head.innerHTML = ''
  window.history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

test('an answer that was asked for ahead is taken over once', async () => {
  const answer = new Response('[]')
  early(Promise.resolve(answer))
  expect(await takeEarlyAnswer(url, signed)).toBe(answer)
  expect(takeEarlyAnswer(url, signed)).toBeNull()
})

test('what shows as of now is taken over a moment later, for the same zone', async () => {
  const body = (at: string, zone: string) => JSON.stringify({ at, time_zone: zone })
  const ahead = { body: body('2026-01-01T10:00:00.000Z', 'Asia/Tokyo'), token: 'mine' }
  window.firstData = [{ ...ahead, url, answer: Promise.resolve(new Response()), at: Date.now() }]
  const asked = (zone: string) => ({ ...signed, body: body('2026-01-01T10:00:01.000Z', zone) })
  expect(takeEarlyAnswer(url, asked('Asia/Seoul'))).toBeNull()
  expect(takeEarlyAnswer(url, asked('Asia/Tokyo'))).not.toBeNull()
})

test('what another session asked for, something else, or long ago is not', () => {
  early(Promise.resolve(new Response('[]')))
  expect(takeEarlyAnswer(url, { ...signed, headers: { Authorization: 'Bearer hers' } })).toBeNull()
  expect(takeEarlyAnswer(url, { ...signed, body: '{"filter":{}}' })).toBeNull()
  expect(takeEarlyAnswer(`${url}s`, signed)).toBeNull()
  early(Promise.resolve(new Response('[]')), Date.now() - 60_000)
  expect(takeEarlyAnswer(url, signed)).toBeNull()
})

test('one that failed is asked for again', async () => {
  const again = new Response('[]')
  vi.stubGlobal('fetch', () => Promise.resolve(again))
  early(Promise.reject(new TypeError('Failed to fetch')))
  expect(await takeEarlyAnswer(url, signed)).toBe(again)
})

test('what the screen shows is asked for ahead, but not by a script that comes later than the app', () => {
  const ask = vi.fn((_url: string) => new Promise<Response>(() => {}))
  vi.stubGlobal('fetch', ask)
  window.history.replaceState(null, '', '/app/tasks')
  const settings = '{"supabaseUrl":"","supabaseKey":"public"}'
  document.head.innerHTML = `<script type="application/json" id="settings">${settings}</script>`
  const session = { access_token: 'mine', refresh_token: 'r', expires_at: 9e9, user: { id: 'ada' } }
  const place = `sb-${window.location.hostname}-auth-token`
  localStorage.setItem(place, JSON.stringify(session))
  const script = new Function(readFileSync('public/first-data.js', 'utf8'))
  script()
  const asked = ask.mock.calls.map(([address]) => new URL(address).pathname)
  expect(asked).toEqual(['/rest/v1/preferences', '/rest/v1/rpc/task_page'])
  delete window.firstData
  ask.mockClear()
  expect(takeEarlyAnswer(`${window.location.origin}/rest/v1/preferences`, signed)).toBeNull()
  script()
  expect(ask).not.toHaveBeenCalled()
})
