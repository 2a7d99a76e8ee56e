import { createHash, randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { scopes } from '#domain/access-token.ts'
import type { Grants, Issued } from '../backend/grants.ts'
import { DatabaseAway, unreachable } from '../backend/public-error.ts'
import type { HttpEnv } from '../http-env.ts'
import { limitRegistrations } from '../limits.ts'
import { describeError, logProblem } from '../log.ts'
import { type Markup, messagePage, pagePolicy } from '../plain-page.ts'
import type { Settings } from '../settings.ts'
import { resourceOf } from './addresses.ts'
import {
  type AuthorizationRequest,
  furthest,
  isResource,
  readAuthorizationRequest,
  scopeText,
} from './authorization-request.ts'
import { consentPage, returnPage } from './consent-page.ts'
import { hostOf, isRedirectAddress, withParameters } from './redirect-address.ts'

/** Whose password this is, or why nobody is let in. */
export type SignIn = (
  c: Context<HttpEnv>,
  email: string,
  password: string,
) => Promise<{ account: string } | { status: ContentfulStatusCode; problem: string }>

const accessSeconds = 3600

/** What a program says of itself (RFC 7591). The rest of what it may send is not asked for. */
const registration = z.object({
  client_name: z.string().nullish(),
  redirect_uris: z.array(z.string()).min(1).max(10),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
})

/**
 * OAuth 2.1 for `/mcp`: programs register, send the browser of their user to the consent page, and exchange the code that
 * they are told for short tokens. All of them are public clients: they have no secret, and PKCE proves who asked.
 */
export function createOauthRoutes(options: {
  settings: Pick<Settings, 'publicUrl' | 'limits' | 'trustedProxies'>
  grants: Grants
  signIn: SignIn
}): Hono<HttpEnv> {
  const { settings, grants, signIn } = options
  const { publicUrl } = settings
  const resource = resourceOf(settings)
  const routes = new Hono<HttpEnv>()
  const waitOf = limitRegistrations(settings)

  routes.use('/oauth/*', async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
  })
  const tooMuch = (c: Context) => refuse(c, 413, 'invalid_request', 'This is too much at once.')
  routes.use('/oauth/*', bodyLimit({ maxSize: 65_536, onError: tooMuch }))
  routes.onError((error, c) => failed(c, error))

  const protectedResource = {
    resource,
    authorization_servers: [publicUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Solo CRM',
  }
  for (const path of ['', '/mcp']) {
    routes.get(`/.well-known/oauth-protected-resource${path}`, (c) => c.json(protectedResource))
  }
  routes.get('/.well-known/oauth-authorization-server', (c) =>
    c.json({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
      registration_endpoint: `${publicUrl}/oauth/register`,
      revocation_endpoint: `${publicUrl}/oauth/revoke`,
      scopes_supported: scopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  )

  routes.post('/oauth/register', async (c) => {
    const wait = await waitOf(c)
    if (wait !== null) {
      c.header('Retry-After', String(wait))
      return refuse(c, 429, 'temporarily_unavailable', 'Too many registrations. Try again later.')
    }
    const read = registration.safeParse(await c.req.json().catch(() => null))
    if (!read.success) {
      return refuse(c, 400, 'invalid_client_metadata', 'Expected JSON with redirect_uris.')
    }
    const { client_name, redirect_uris, grant_types, response_types } = read.data
    if (!redirect_uris.every(isRedirectAddress)) {
      const words =
        'Every redirect address must be https, or http on 127.0.0.1, [::1] or localhost.'
      return refuse(c, 400, 'invalid_redirect_uri', words)
    }
    if (
      (grant_types && !grant_types.includes('authorization_code')) ||
      (response_types && !response_types.includes('code'))
    ) {
      return refuse(c, 400, 'invalid_client_metadata', 'Only authorization codes are given out.')
    }
    const name = plainName(client_name ?? '') || hostOf(redirect_uris[0] ?? '')
    const id = await grants.register(name.slice(0, 60), redirect_uris)
    if (id === null) {
      c.header('Retry-After', '3600')
      return refuse(c, 503, 'temporarily_unavailable', 'Too many registrations. Try again later.')
    }
    return c.json(
      {
        client_id: id,
        client_id_issued_at: Math.floor(Date.now() / 1000),
        client_name: name,
        redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      201,
    )
  })

  /** Goes on with a request that can be shown, and answers any other. */
  async function withRequest(
    c: Context<HttpEnv>,
    goOn: (request: AuthorizationRequest) => Promise<Response> | Response,
  ): Promise<Response> {
    const query = new URL(c.req.url).searchParams
    const read = await readAuthorizationRequest({ query, resource, find: grants.client })
    if ('problem' in read) return sendPage(c, 400, messagePage('Not connected', read.problem))
    if ('request' in read) return goOn(read.request)
    const { redirectUri, state, error, description } = read
    const told = { error, error_description: description }
    return c.redirect(answerAddress(redirectUri, state, told), 303)
  }

  function answerAddress(to: string, state: string | null, told: Record<string, string>): string {
    return withParameters(to, { ...told, ...(state === null ? {} : { state }), iss: publicUrl })
  }

  routes.get('/oauth/authorize', (c) =>
    withRequest(c, (request) => sendPage(c, 200, consentPage({ request }))),
  )

  routes.post('/oauth/authorize', (c) =>
    withRequest(c, async (request) => {
      const { client, redirectUri, state, challenge, most } = request
      // Another site must decide nothing for the user, not even in its own account.
      if (!isOwnForm(c, publicUrl)) {
        const words = 'This answer didn’t come from our page. Go back to the app and connect again.'
        return sendPage(c, 403, messagePage('Not connected', words))
      }
      const form = await readForm(c)
      if (form?.get('decision') === 'deny') {
        const told = { error: 'access_denied' }
        const back = answerAddress(redirectUri, state, told)
        return sendPage(c, 200, returnPage(back, 'Not connected'))
      }
      const wanted = scopes.find((scope) => scope === form?.get('scope'))
      if (!form || !wanted || scopes.indexOf(wanted) > scopes.indexOf(most)) {
        const problem = 'Choose what it may do. Nothing was connected yet.'
        return sendPage(c, 422, consentPage({ request, problem }))
      }
      const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
      const again = { request, chosen: { scope: wanted, email } }
      const signedIn = await signIn(c, email.trim(), password)
      if ('problem' in signedIn) {
        return sendPage(c, signedIn.status, consentPage({ ...again, problem: signedIn.problem }))
      }
      const code = secret('solo_code_')
      const isAllowed = await grants.allow({
        account: signedIn.account,
        client: client.id,
        host: hostOf(redirectUri),
        scope: wanted,
        redirectUri,
        challenge,
        code,
      })
      if (!isAllowed) {
        const problem =
          'There are 100 connections already. Nothing was connected; remove one in Settings, Connections.'
        return sendPage(c, 409, consentPage({ ...again, problem }))
      }
      const back = answerAddress(redirectUri, state, { code })
      return sendPage(c, 200, returnPage(back, 'Connected'))
    }),
  )

  routes.post('/oauth/token', async (c) => {
    const form = await readForm(c)
    if (!form) return refuse(c, 400, 'invalid_request', 'Expected a form, each name once.')
    const client = await grants.client(form.get('client_id') ?? '')
    if (!client) return refuse(c, 401, 'invalid_client', 'This client is not known.')
    if (!isResource(form.get('resource'), resource)) {
      return refuse(c, 400, 'invalid_target', `Tokens are for ${resource} alone.`)
    }
    const tokens = { access: secret('solo_at_'), refresh: secret('solo_rt_') }
    let issued: Issued
    if (form.get('grant_type') === 'authorization_code') {
      const verifier = form.get('code_verifier') ?? ''
      if (!/^[\w.~-]{43,128}$/.test(verifier)) {
        return refuse(c, 400, 'invalid_request', 'A code_verifier is required.')
      }
      issued = await grants.exchange({
        code: form.get('code') ?? '',
        client: client.id,
        redirectUri: form.get('redirect_uri'),
        challenge: createHash('sha256').update(verifier).digest('base64url'),
        tokens,
      })
    } else if (form.get('grant_type') === 'refresh_token') {
      issued = await grants.refresh({
        token: form.get('refresh_token') ?? '',
        client: client.id,
        scope: furthest(form.get('scope')),
        tokens,
      })
    } else {
      const words = 'Only authorization_code and refresh_token are supported.'
      return refuse(c, 400, 'unsupported_grant_type', words)
    }
    if ('error' in issued) return refuseGrant(c, issued.error)
    return c.json({
      access_token: tokens.access,
      token_type: 'Bearer',
      expires_in: accessSeconds,
      refresh_token: tokens.refresh,
      scope: scopeText(issued.scope),
    })
  })

  routes.post('/oauth/revoke', async (c) => {
    const form = await readForm(c)
    if (!form) return refuse(c, 400, 'invalid_request', 'Expected a form, each name once.')
    const client = await grants.client(form.get('client_id') ?? '')
    if (!client) return refuse(c, 401, 'invalid_client', 'This client is not known.')
    await grants.revoke(form.get('token') ?? '', client.id)
    // The same for a token that nobody has (RFC 7009).
    return c.body(null, 200)
  })
  for (const path of ['/oauth/*', '/.well-known/*']) {
    // Programs look for what other servers have; a page of ours would confuse them.
    routes.all(path, (c) => refuse(c, 404, 'invalid_request', 'There is nothing here.'))
  }
  return routes
}

function secret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** A name on one line, without letters that show as nothing or turn the others around. */
function plainName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
    .trim()
}

/** The fields of a form; null where there is none, or a name is there twice, so that two readers could differ. */
async function readForm(c: Context): Promise<URLSearchParams | null> {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const form = new URLSearchParams(await c.req.text())
  const names = [...form.keys()]
  return new Set(names).size === names.length ? form : null
}

/** Browsers say where a form comes from; the page lets them (`Referrer-Policy: same-origin`). */
function isOwnForm(c: Context, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  return site === undefined ? c.req.header('origin') === publicUrl : site === 'same-origin'
}

function sendPage(
  c: Context,
  status: ContentfulStatusCode,
  page: Markup,
): Response | Promise<Response> {
  c.header('Content-Security-Policy', pagePolicy())
  c.header('Referrer-Policy', 'same-origin')
  return c.html(page, status)
}

/** A refusal as OAuth writes it. */
function refuse(c: Context, status: ContentfulStatusCode, error: string, words: string): Response {
  return c.json({ error, error_description: words }, status)
}

function refuseGrant(c: Context<HttpEnv>, error: 'unknown' | 'used' | 'wrong' | 'scope'): Response {
  if (error === 'scope') {
    return refuse(c, 400, 'invalid_scope', 'More than the owner of the account has allowed.')
  }
  c.set('isGuess', error === 'unknown')
  return refuse(c, 400, 'invalid_grant', 'This is not known, has expired or was used before.')
}

function failed(c: Context, error: Error): Response | Promise<Response> {
  if (!c.req.raw.signal.aborted) logProblem(`OAuth failed: ${describeError(error)}`)
  c.header('Cache-Control', 'no-store')
  const isAway = error instanceof DatabaseAway
  const words = isAway ? unreachable.message : 'Something went wrong. Try again in a moment.'
  const status = isAway ? 503 : 500
  if (c.req.path === '/oauth/authorize') {
    return sendPage(c, status, messagePage('Not connected', words))
  }
  return refuse(c, status, isAway ? 'temporarily_unavailable' : 'server_error', words)
}
