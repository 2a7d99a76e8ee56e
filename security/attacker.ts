import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { expect, inject } from 'vitest'
import WebSocket from 'ws'
import type { Database } from '#lib/database.types.ts'
import type { Account } from '../supabase/tests/harness.ts'
import { keys } from '../supabase/tests/test-keys.ts'

const { address } = inject('attacked')

export type Asked = {
  method?: string
  headers?: Record<string, string>
  /** Sent as it is when it is a text, else as JSON. */
  body?: unknown
  /** Whose session; nobody's unless told. */
  token?: string
  /** The address that the request comes from, as far as the limits know. */
  from?: string
}

export type Answer = {
  status: number
  headers: Headers
  text: string
  json: unknown
  milliseconds: number
}

/** One request with the public key, which every page gives away. Follows no redirect. */
export async function ask(path: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', token, from = '10.0.0.1', body } = asked
  const before = performance.now()
  const response = await fetch(address + path, {
    method,
    headers: {
      apikey: keys.publishableKey,
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...asked.headers,
    },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, json: parsed(text), milliseconds: performance.now() - before }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Person = Account & { password: string; refreshToken: string }

/** A new account and its session. Each comes from an address of its own. */
export async function signUp(): Promise<Person> {
  const from = `10.${1 + Math.floor(Math.random() * 250)}.${byte()}.${byte()}`
  const client = createClient<Database>(address, keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { 'x-forwarded-for': from } },
    // Node 20 has no WebSocket of its own; nothing is ever connected.
    realtime: { transport: WebSocket as never },
  })
  const email = `${randomUUID()}@example.com`
  const password = randomUUID()
  const { data, error } = await client.auth.signUp({ email, password })
  if (error || !data.session) throw error ?? new Error('Sign-up gave no session.')
  const { access_token: token, refresh_token: refreshToken, user } = data.session
  return { id: user.id, email, password, token, refreshToken, client }
}

function byte(): number {
  return Math.floor(Math.random() * 256)
}

/** Words of the inside that no answer may hold: places in our code, names of constraints, statements. */
const inside = /node_modules|\.ts:\d|\.js:\d|_fkey|_pkey|_check\b|\bat \S+ \(/

/** An answer that is no failure and says nothing of the inside, but what the request said itself. */
export function expectSound({ status, text }: Answer, request: string): void {
  expect(status, `${request}: ${text}`).toBeLessThan(500)
  const [told = ''] = inside.exec(text) ?? []
  expect(request, text).toContain(told)
}
