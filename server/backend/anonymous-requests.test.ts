import { expect, test } from 'vitest'
import { refuseAnonymous } from './anonymous-requests.ts'

const publishableKey = 'sb_publishable_test'

async function asked(path: string, headers: Record<string, string>) {
  let isAsked = false
  const answer = refuseAnonymous({ publishableKey }, async () => {
    isAsked = true
    return new Response()
  })
  const response = await answer(new Request(`http://127.0.0.1${path}`, { headers }))
  return { isAsked, status: response.status, body: await response.text() }
}

const apikey = publishableKey

test.each([
  ['no token', { apikey }],
  ['the key for a token', { apikey, authorization: `Bearer ${publishableKey}` }],
  ['what is no token', { apikey, authorization: 'Bearer abc' }],
  ['another scheme', { apikey, authorization: 'Basic YTpi' }],
])('%s: 401, and the database is not asked', async (_, headers) => {
  for (const path of ['/rest/v1/contacts?select=*', '/rest/v1/rpc/contact_page', '/rest/v1/none']) {
    const { isAsked, status, body } = await asked(path, headers)
    expect(isAsked).toBe(false)
    expect(status).toBe(401)
    expect(JSON.parse(body)).toMatchObject({ code: '42501', message: 'Not authenticated' })
  }
})

test.each([
  ['a token', '/rest/v1/contacts', { apikey, authorization: 'Bearer a.b.c' }],
  ['another key', '/rest/v1/contacts', { apikey: 'sb_secret_test' }],
  ['signing in', '/auth/v1/token', { apikey }],
])('%s is for others to judge', async (_, path, headers) => {
  expect((await asked(path, headers)).isAsked).toBe(true)
})
