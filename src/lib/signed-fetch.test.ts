import { createClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import { errorMessage, isSessionGone } from './errors.ts'
import { signedFetch } from './signed-fetch.ts'

const send = vi.fn(async () => Response.json([]))

function client(accessToken?: () => Promise<string>) {
  return createClient('http://127.0.0.1:1', 'public-key', {
    global: { fetch: signedFetch('public-key', send) },
    auth: { persistSession: false },
    ...(accessToken ? { accessToken } : {}),
  })
}

test('without a session nothing is sent, and the answer says so', async () => {
  const { error } = await client().from('contacts').insert({ first_name: 'Ada' })
  expect(send).not.toHaveBeenCalled()
  expect(errorMessage(error)).toBe('Not authenticated')
  expect(isSessionGone(error)).toBe(true)
  expect(errorMessage((await client().rpc('delete_contacts')).error)).toBe('Not authenticated')
})

test('with a session it is sent', async () => {
  const { error } = await client(async () => 'token')
    .from('contacts')
    .select()
  expect(error).toBeNull()
  expect(send).toHaveBeenCalledOnce()
})
