import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { scopes } from '#domain/access-token.ts'
import type { Grants } from '../backend/grants.ts'
import { DatabaseAway, unreachable } from '../backend/public-error.ts'
import type { SharedAttempts } from '../backend/shared-attempts.ts'
import type { HttpEnv } from '../http-env.ts'
import { describeError, logProblem } from '../log.ts'
import { messagePage } from '../plain-page.ts'
import type { Settings } from '../settings.ts'
import { resourceOf } from './addresses.ts'
import { refuse, sendPage } from './answers.ts'
import { createConsentRoutes, type SignIn } from './consent-routes.ts'
import { createRegistrationRoutes } from './registration-routes.ts'
import { createTokenRoutes } from './token-routes.ts'

/**
 * OAuth 2.1 for `/mcp`: programs register, send the browser of their user to the consent page, and exchange the code that
 * they are told for short tokens. All of them are public clients: they have no secret, and PKCE proves who asked.
 */
export function createOauthRoutes(options: {
  settings: Pick<Settings, 'publicUrl' | 'limits' | 'trustedProxies'>
  grants: Grants
  signIn: SignIn
  attempts: SharedAttempts | null
}): Hono<HttpEnv> {
  const { settings, grants, signIn, attempts } = options
  const routes = new Hono<HttpEnv>()

  routes.use('/oauth/*', async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
  })
  const tooMuch = (c: Context) => refuse(c, 413, 'invalid_request', 'This is too much at once.')
  routes.use('/oauth/*', bodyLimit({ maxSize: 65_536, onError: tooMuch }))
  routes.onError((error, c) => failed(c, error))

  describeItself(routes, settings)
  routes.route('/', createRegistrationRoutes(settings, grants, attempts))
  routes.route('/', createConsentRoutes({ settings, grants, signIn }))
  routes.route('/', createTokenRoutes(grants, resourceOf(settings)))
  for (const path of ['/oauth/*', '/.well-known/*']) {
    // Programs look for what other servers have; a page of ours would confuse them.
    routes.all(path, (c) => refuse(c, 404, 'invalid_request', 'There is nothing here.'))
  }
  return routes
}

/** What programs read first: where the server is that lets them in, and what it can do (RFC 9728, RFC 8414). */
function describeItself(routes: Hono<HttpEnv>, settings: Pick<Settings, 'publicUrl'>): void {
  const { publicUrl } = settings
  const protectedResource = {
    resource: resourceOf(settings),
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
