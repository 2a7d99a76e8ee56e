import { describe, expect, it } from 'vitest'
import { fakeBackend, rawRequest, serveApp } from './test-server.ts'

const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self'; media-src 'self'; worker-src 'self'; manifest-src 'self'; connect-src 'self' ws://127.0.0.1:3000; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"

const everywhere = ['/', '/app', '/nope', '/assets/gone.js', '/health', '/rest/v1/x', '/auth/v1/x']

describe('security headers', () => {
  it('are on every answer', async () => {
    const { port } = await serveApp()
    for (const path of everywhere) {
      const { headers } = await rawRequest(port, path)
      expect(headers, path).toMatchObject({
        'content-security-policy': strictPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
      expect(headers['permissions-policy']).toContain('camera=()')
      expect(headers).not.toHaveProperty('strict-transport-security')
      expect(headers).not.toHaveProperty('x-powered-by')
    }
  })

  it.each([
    ['https://abc.supabase.co', 'https://abc.supabase.co wss://abc.supabase.co'],
    ['http://10.0.0.5:8000/base', 'http://10.0.0.5:8000 ws://10.0.0.5:8000'],
  ])('let the page talk to the project %s and to nobody else', async (url, origins) => {
    const env = { SUPABASE_URL: url, SUPABASE_ANON_KEY: 'anon' }
    const { port } = await serveApp({ env, backend: null })
    const { headers } = await rawRequest(port, '/app')
    expect(headers['content-security-policy']).toContain(`; connect-src 'self' ${origins};`)
  })

  it('promise https only where the public address has it', async () => {
    const { port } = await serveApp({ env: { PUBLIC_URL: 'https://crm.example' } })
    const { headers } = await rawRequest(port, '/')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

describe('answers of the backend', () => {
  it('lose every grant to other origins and are kept by no cache', async () => {
    const backend = fakeBackend(() =>
      Response.json([1], {
        status: 206,
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Credentials': 'true',
          'Access-Control-Expose-Headers': 'Content-Range',
          'Cache-Control': 'public, max-age=600',
          'Content-Range': '0-0/1',
        },
      }),
    )
    const { port } = await serveApp({ backend })
    for (const path of ['/rest/v1/contacts', '/auth/v1/settings']) {
      const answer = await rawRequest(port, path, { headers: { Origin: 'https://evil.example' } })
      expect(answer.status).toBe(206)
      expect(answer.headers['content-range']).toBe('0-0/1')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-'))).toEqual([])
    }
  })

  it('may be empty or a redirect', async () => {
    const empty = await serveApp({
      backend: fakeBackend(() => new Response(null, { status: 204 })),
    })
    expect((await rawRequest(empty.port, '/rest/v1/contacts', { method: 'DELETE' })).status).toBe(
      204,
    )
    const to = 'http://127.0.0.1/#access_token=x'
    const moved = await serveApp({ backend: fakeBackend(() => Response.redirect(to, 303)) })
    const answer = await rawRequest(moved.port, '/auth/v1/authorize')
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe(to)
  })

  it('grant nothing to a preflight, which the backend never sees', async () => {
    const backend = fakeBackend()
    const { port } = await serveApp({ backend })
    for (const path of ['/rest/v1/contacts', '/auth/v1/token?grant_type=password']) {
      const answer = await rawRequest(port, path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
      })
      expect(answer.status).toBe(204)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-'))).toEqual([])
    }
    expect(backend.asked).toEqual([])
  })
})
