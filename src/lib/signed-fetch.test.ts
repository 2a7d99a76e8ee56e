import { PostgrestClient } from '@supabase/postgrest-js'
import { beforeEach, expect, test, vi } from 'vitest'
import { errorMessage, isSessionGone, isUnreachable } from './errors.ts'
import { signedFetch } from './signed-fetch.ts'

const send = vi.fn(async (_input: RequestInfo | URL, _init?: RequestInit) => Response.json([]))
beforeEach(() => send.mockClear())

function client(token: () => Promise<string | null>, hasSession = false) {
  const signing = { publicKey: 'public-key', token, hasSession: () => hasSession }
  return new PostgrestClient('http://127.0.0.1:1', { fetch: signedFetch(send, signing) })
}

test('without a session nothing is sent, and the answer says so', async () => {
  const nobody = client(async () => null)
  const { error } = await nobody.from('contacts').insert({ first_name: 'Ada' })
  expect(send).not.toHaveBeenCalled()
  expect(errorMessage(error)).toBe('Not authenticated')
  expect(isSessionGone(error)).toBe(true)
  expect(errorMessage((await nobody.rpc('delete_contacts')).error)).toBe('Not authenticated')
})

test('with a session it is sent, with the key and the token', async () => {
  const { error } = await client(async () => 'token')
    .from('contacts')
    .select()
  expect(error).toBeNull()
  const headers = new Headers(send.mock.calls[0]?.[1]?.headers)
  expect(headers.get('apikey')).toBe('public-key')
  expect(headers.get('Authorization')).toBe('Bearer token')
})

test('a token that could not be renewed means that nobody was reached', async () => {
  for (const token of [async () => null, () => Promise.reject(new Error('code is missing'))]) {
    const { error } = await client(token, true).from('contacts').insert({ first_name: 'Ada' })
    expect(isUnreachable(error)).toBe(true)
  }
  expect(send).not.toHaveBeenCalled()
})
