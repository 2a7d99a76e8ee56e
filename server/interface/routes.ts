import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { type Ask, InterfaceError, runFunction } from '#domain/interface/interface-function.ts'
import { version } from '#package.json'
import { refuse } from '../answers.ts'
import { tokenCallPath } from '../backend/anonymous-requests.ts'
import type { Grants } from '../backend/grants.ts'
import type { HttpEnv } from '../http-env.ts'
import { resourceMetadataOf } from '../oauth/addresses.ts'
import type { Settings } from '../settings.ts'
import { askWithToken } from './ask-with-token.ts'

/** Asks `rpc/call_with_token` in the name of a request. Each call counts for the account of its token. */
export type CallWithToken = (
  c: Context<HttpEnv>,
  token: string,
  request: Request,
) => Promise<Response>

const scopeOfToken = z.object({ scope: z.enum(['read', 'propose', 'write']) })

/** `/api/v1` and `/mcp`: the same functions for programs and for assistants, with an access token as the only proof. */
export function createInterfaceRoutes(options: {
  settings: Pick<Settings, 'publicUrl'>
  grants: Pick<Grants, 'tokenAt'>
  callWithToken: CallWithToken
}): Hono<HttpEnv> {
  const { settings, grants, callWithToken } = options
  const routes = new Hono<HttpEnv>()

  /** Asks the database as whoever sent the request. */
  function askOf(c: Context<HttpEnv>): { ask: Ask; status: () => number } {
    let status = 200
    const token = c.get('token') ?? ''
    // OAuth tokens work at /mcp alone; the database knows them by the proof that `tokenAt` makes.
    const isShort = c.req.path === '/mcp' && token.startsWith('solo_at_')
    const shown = isShort ? grants.tokenAt(token) : token
    const ask = askWithToken(shown, async (body) => {
      const request = new Request(`http://localhost${tokenCallPath}`, { method: 'POST', body })
      const response = await callWithToken(c, shown, request)
      status = response.status
      return response
    })
    return { ask, status: () => status }
  }

  // The definitions are loaded when first asked for: many installations never are.
  routes.get('/api/v1/openapi.json', async (c) => {
    const { openApi } = await import('#domain/interface/openapi.ts')
    c.header('Cache-Control', 'no-cache')
    return c.json(openApi({ origin: settings.publicUrl, version }))
  })
  // Whoever looks at the address itself is shown the way.
  routes.get('/api/v1', async (c) => {
    const { interfaceFunctions } = await import('#domain/interface/functions.ts')
    c.header('Cache-Control', 'no-cache')
    return c.json({
      description: 'Each function is called with POST, JSON and an access token.',
      openapi: `${settings.publicUrl}/api/v1/openapi.json`,
      functions: interfaceFunctions.map(({ name, title }) => ({
        name,
        title,
        url: `${settings.publicUrl}/api/v1/${name}`,
      })),
    })
  })
  routes.post('/api/v1/:name', async (c) => {
    const { functionNamed } = await import('#domain/interface/functions.ts')
    const definition = functionNamed(c.req.param('name'))
    if (!definition) return refuse(c, 404, 'not_found', 'There is no such function.')
    const { ask, status } = askOf(c)
    try {
      const answer = await runFunction(definition, await readJson(c), ask)
      c.header('Cache-Control', 'no-store')
      return c.json(answer as object, status() === 202 ? 202 : 200)
    } catch (error) {
      return refuseFor(c, error)
    }
  })
  routes.all('/api/v1/*', (c) => {
    c.header('Allow', 'POST')
    return refuse(c, 405, 'method_not_allowed', 'Each function is called with POST and JSON.')
  })

  routes.all('/mcp', async (c) => {
    const { ask } = askOf(c)
    try {
      // The protocol asks for this: a page of another site must not speak to a server on the user's machine.
      const origin = c.req.header('origin')
      if (origin !== undefined && origin !== settings.publicUrl) {
        throw new InterfaceError(403, 'foreign_origin', 'Pages of other sites are not answered.')
      }
      // Before the protocol: whoever has no token learns nothing but how to get one.
      if (!c.get('token')) throw new InterfaceError(401, 'no_token', 'An access token is needed.')
      const { scope } = scopeOfToken.parse(await ask('token', {}))
      const request = await withFewMessages(c)
      // Loaded when first asked for: it takes a quarter of a second and 27 MB.
      const { answerProtocol } = await import('./protocol.ts')
      return await answerProtocol(request, ask, scope !== 'read')
    } catch (error) {
      return refuseFor(c, error, [`resource_metadata="${resourceMetadataOf(settings)}"`])
    }
  })
  return routes
}

/** The most messages in one request: their answers are sent together, and each may have 200,000 characters. */
const mostMessages = 20

/** A request of the protocol, refused where it holds too many messages. */
async function withFewMessages(c: Context): Promise<Request> {
  if (!c.req.raw.body) return c.req.raw
  const text = await c.req.text()
  if (messagesIn(text) > mostMessages) {
    const words = `At most ${mostMessages} messages can be sent at once. Nothing was done.`
    throw new InterfaceError(400, 'too_many_messages', words)
  }
  return new Request(c.req.raw, { body: text })
}

/** What cannot be read is refused by the protocol. */
function messagesIn(text: string): number {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.length : 1
  } catch {
    return 1
  }
}

async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text()
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new InterfaceError(400, 'bad_json', 'The arguments cannot be read: expected JSON.')
  }
}

/** Answers an `InterfaceError`; `more` goes into the WWW-Authenticate header of a 401. */
function refuseFor(c: Context<HttpEnv>, error: unknown, more: string[] = []): Response {
  if (!(error instanceof InterfaceError)) throw error
  const { status, code, message } = error
  if (status === 401) {
    const problem = code === 'no_token' ? [] : ['error="invalid_token"']
    c.header('WWW-Authenticate', `Bearer ${[...problem, ...more].join(', ')}`)
  }
  if (status === 503) c.header('Retry-After', '1')
  // The statuses are those of answers with a body.
  return refuse(c, status as ContentfulStatusCode, code, message)
}
