import { spawn } from 'node:child_process'
import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { auth as authOfV1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportOfV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBackendRoutes } from '#server/backend-routes.ts'
import { listen } from '#server/listen.ts'
import { readSettings } from '#server/settings.ts'
import { isLong } from '#server/test-length.ts'
import { ok, onAnyDatabase } from './harness.ts'
import { oauthCalls } from './oauth-calls.ts'

/** What a program keeps of OAuth between its steps, in the words of both versions of the official library. */
function newProvider() {
  const kept: { client?: never; tokens?: never; verifier?: string; asked?: URL } = {}
  return {
    kept,
    redirectUrl: 'http://127.0.0.1:5555/callback',
    clientMetadata: {
      client_name: 'Official client',
      redirect_uris: ['http://127.0.0.1:5555/callback'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (asked: URL) => void Object.assign(kept, { asked }),
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
  }
}

onAnyDatabase((database) => {
  async function serve(more: (routes: Hono) => void = () => {}) {
    const settings = { ...readSettings({ PORT: '1' }), publicUrl: '' }
    const app = new Hono()
    more(app)
    let answer: (request: Request, env: object) => Response | Promise<Response> = () =>
      new Response(null, { status: 503 })
    const server = await listen({
      host: '127.0.0.1',
      port: 0,
      answer: (request, env) => answer(request, env),
    })
    onTestFinished(() => server.close(100))
    const origin = `http://127.0.0.1:${server.port}`
    const routes = createBackendRoutes({
      settings: { ...settings, publicUrl: origin },
      backend: database().backend,
    })
    app.route('/', routes as unknown as Hono)
    answer = app.fetch
    return origin
  }

  describe('the official clients', () => {
    test.each([
      ['v1', authOfV1, ClientOfV1, TransportOfV1],
      ['v2', auth, Client, StreamableHTTPClientTransport],
    ])(
      '%s: discovers, registers, is allowed, works and refreshes',
      async (_, authorize, Official, Transport) => {
        const owner = await database().signUp()
        const origin = await serve()
        const serverUrl = new URL(`${origin}/mcp`)
        const provider = newProvider()
        const step = (code?: string, iss?: string) =>
          (authorize as typeof auth)(
            provider as never,
            {
              serverUrl,
              ...(code ? { authorizationCode: code, iss } : {}),
            } as never,
          )

        expect(await step()).toBe('REDIRECT')
        const asked = provider.kept.asked
        expect(asked?.searchParams.get('resource')).toBe(serverUrl.href)
        const oauth = oauthCalls((path, init) => fetch(origin + path, init), origin)
        const { back } = await oauth.decide((asked?.pathname ?? '') + (asked?.search ?? ''), {
          email: owner.email,
          password: 'secret-1',
          scope: 'write',
        })
        const code = back?.searchParams.get('code') ?? ''
        expect(await step(code, back?.searchParams.get('iss') ?? '')).toBe('AUTHORIZED')
        const first = (provider.kept.tokens ?? {}) as { access_token: string }

        const client = new Official({ name: 'test', version: '1' })
        const transport = new Transport(serverUrl, { authProvider: provider as never })
        await client.connect(transport as never)
        onTestFinished(() => client.close())
        const saved = { name: 'save_company', arguments: { fields: { name: 'Acme' } } }
        expect((await client.callTool(saved)).isError).toBeFalsy()
        expect(await ok(owner.client.from('companies').select('name'))).toEqual([{ name: 'Acme' }])

        // An expired token is renewed by the library itself, without the user.
        await database().query(
          `update private.grant_secrets s set expires_at = now() - interval '1 minute'
         from private.access_tokens t where t.id = s.grant_id and t.user_id = ? and s.kind = 'access'`,
          owner.id,
        )
        expect((await client.callTool({ name: 'about', arguments: {} })).isError).toBeFalsy()
        const second = (provider.kept.tokens ?? {}) as { access_token: string }
        expect(second.access_token).not.toBe(first.access_token)
      },
    )
  })

  // What they look at changes with the library alone; the clients above are what people use.
  test.runIf(isLong)(
    'the official conformance scenarios pass, but for those of what the server does not have',
    async () => {
      const owner = await database().signUp()
      const made = await ok(owner.client.rpc('create_access_token', { name: 'x', scope: 'write' }))
      const { token } = made as { token: string }
      // The scenarios know nothing of tokens.
      const origin = await serve((app) =>
        app.use('/mcp', async (c, next) => {
          const request = new Request(c.req.raw)
          request.headers.set('authorization', `Bearer ${token}`)
          c.req.raw = request
          await next()
        }),
      )
      const command = [
        '--import',
        './supabase/tests/conformance-node20.mjs',
        'node_modules/@modelcontextprotocol/conformance/dist/index.js',
        ...['server', '--url', `${origin}/mcp`],
        ...['--expected-failures', 'supabase/tests/conformance-baseline.yml'],
      ]
      const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
      let told = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data) => {
          told += data
        })
      }
      const code = await new Promise((resolve) => child.once('close', resolve))
      expect(code, told.slice(-4000)).toBe(0)
    },
  )
})
