import { Hono, type MiddlewareHandler } from 'hono'
import { createAgendaRoutes } from './agenda-routes.ts'
import { answerFailure, refuse } from './answers.ts'
import { tokenCallPath } from './backend/anonymous-requests.ts'
import type { Health } from './backend/health.ts'
import type { Backend } from './backend/start-backend.ts'
import { limitBody, readAuthBody, readToken } from './bodies.ts'
import { createCalendarRoutes } from './calendar-routes.ts'
import { createCardRoutes } from './card-routes.ts'
import { clientAddress, peerAddress } from './client-address.ts'
import { refuseCostly } from './costly-requests.ts'
import { createFormRoutes } from './form-routes.ts'
import { guessedTokens, limitGuesses } from './guesses.ts'
import { sealAnswer, securityHeaders, securityHeadersWithoutPolicy } from './headers.ts'
import type { HttpEnv } from './http-env.ts'
import { type CallWithToken, createInterfaceRoutes } from './interface/routes.ts'
import { limitAuth, limitRequests, tooManyRequests } from './limits.ts'
import { createMailRoutes } from './mail-routes.ts'
import { createOauthRoutes } from './oauth/routes.ts'
import { signInThrough } from './oauth/sign-in.ts'
import type { Settings } from './settings.ts'

/**
 * All routes except the pages: the built server and the development server share them. Each request to the backend
 * reads as one sentence: headers, size, body, limits, backend.
 */
export function createBackendRoutes(options: {
  settings: Settings
  backend: Backend | null
}): Hono<HttpEnv> {
  const { settings, backend } = options
  const routes = new Hono<HttpEnv>()
  routes.onError(answerFailure)
  const data = ['/auth/v1/*', '/rest/v1/*', '/api/v1/*', '/mcp', '/mail/v1/*']
  for (const path of ['/health', '/calendar/*', '/cards/*', ...data]) {
    routes.use(path, securityHeaders(settings))
  }

  for (const path of ['/f/*', '/agenda/*']) {
    routes.use(path, securityHeadersWithoutPolicy(settings))
  }
  for (const path of ['/oauth/*', '/.well-known/*']) {
    routes.use(
      path,
      securityHeadersWithoutPolicy(settings, {
        // The page of consent must be able to tell that its form is its own.
        referrerPolicy: 'same-origin',
        // Web assistants open it in a window that tells them when it is back.
        crossOriginOpenerPolicy: false,
      }),
    )
  }

  routes.get('/health', async (c) => {
    const away: Health = { status: 'unavailable' }
    const health = backend ? await backend.health().catch(() => away) : { status: 'ok' }
    c.header('Cache-Control', 'no-store')
    return c.json(health, health.status === 'unavailable' ? 503 : 200)
  })
  routes.all('/health', (c) => c.text('Method not allowed', 405, { Allow: 'GET, HEAD' }))
  const limits = backend && limitRequests(settings, backend)
  for (const path of ['/calendar/*', '/cards/*', '/f/*', '/agenda/*']) {
    if (limits) routes.use(path, limits.all)
  }
  routes.route('/calendar/', createCalendarRoutes({ settings, backend }))
  const leads = backend?.leads ?? null
  routes.route('/cards/', createCardRoutes({ settings, leads }))
  routes.route('/f/', createFormRoutes({ settings, leads, attempts: backend?.attempts ?? null }))
  routes.route('/agenda/', createAgendaRoutes({ settings, agenda: backend?.agenda ?? null }))

  for (const path of data) {
    // Preflight requests get no permission: no other origin may call us.
    routes.options(path, (c) => c.body(null, 204, { 'Cache-Control': 'no-store' }))
    if (!backend) {
      routes.all(path, (c) =>
        refuse(c, 404, 'not_found', 'This server holds no data: ask the Supabase project instead.'),
      )
    }
  }
  if (!backend || !limits) {
    routes.all('/oauth/*', (c) => c.text('Not found', 404, { 'Cache-Control': 'no-store' }))
    routes.all('/.well-known/*', (c) => c.text('Not found', 404, { 'Cache-Control': 'no-store' }))
    return routes
  }

  routes.use(
    '/auth/v1/*',
    redirectMailLinks(),
    refuseHead(),
    refuseEscapes(),
    limitBody(),
    readAuthBody(),
    limitAuth(settings, backend.attempts),
  )
  const limitAll = limits.all
  routes.use('/rest/v1/*', limitAll, refuseBrokenEscapes(), refuseCostly(), limitBody())
  // One count for all four ways to send a token: with a count each, an attacker could guess four times as often.
  const limitTokens = limitGuesses(settings, guessedTokens, backend.attempts)
  routes.use(tokenCallPath, limitBody(1), readToken(), limitTokens)
  for (const path of ['/api/v1/*', '/mcp']) {
    routes.use(path, limitAll, refuseBrokenEscapes(), readToken(), limitTokens, limitBody(1))
  }
  const callWithToken: CallWithToken = async (c, token, request) => {
    const client = clientAddress(c, settings.trustedProxies)
    const account = await backend.accountOfToken(token, client)
    const wait = account && (await limits.ofAccount(account))
    if (wait) {
      c.header('Retry-After', String(wait))
      return refuse(c, 429, 'over_request_rate_limit', tooManyRequests(wait))
    }
    const answer = await backend.fetch(request, peerAddress(c), { client, account })
    if (answer.ok) c.set('isGuess', false)
    if (answer.status === 401 && (await answer.clone().text()).includes('"unknown_token"')) {
      c.set('isGuess', true)
    }
    return answer
  }
  routes.use('/mail/v1/*', limitAll, refuseBrokenEscapes(), limitBody(1))
  routes.route('/', createMailRoutes({ settings, backend }))
  routes.route('/', createInterfaceRoutes({ settings, grants: backend.grants, callWithToken }))
  routes.use('/oauth/*', limitAll)
  routes.use('/oauth/token', limitBody(1), limitTokens)
  const signIn = signInThrough(routes, backend.publicKey)
  routes.route(
    '/',
    createOauthRoutes({ settings, grants: backend.grants, signIn, attempts: backend.attempts }),
  )
  routes.post(tokenCallPath, async (c) =>
    sealAnswer(await callWithToken(c, c.get('token') ?? '', c.req.raw)),
  )
  // In an address a token would stand in logs, and neither guesses nor calls would be counted.
  routes.all(tokenCallPath, (c) => {
    c.header('Allow', 'POST')
    return refuse(c, 405, 'method_not_allowed', 'Send the token in the body, with POST.')
  })
  for (const path of ['/auth/v1/*', '/rest/v1/*']) {
    routes.all(path, async (c) => {
      const client = clientAddress(c, settings.trustedProxies)
      return sealAnswer(await backend.fetch(c.req.raw, peerAddress(c), { client }))
    })
  }
  return routes
}

/**
 * Redirects links of older mails, which lead to the API itself, to our page. The library would use up the token
 * when a mail scanner opens the link; the page asks the user to press a button.
 */
function redirectMailLinks(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const isLook = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!isLook || !/^\/auth\/v1\/verify\/*$/.test(c.req.path)) return next()
    const { token = '', type = '' } = c.req.query()
    c.header('Cache-Control', 'no-store')
    return c.redirect(`/auth#${new URLSearchParams({ token_hash: token, type })}`, 303)
  }
}

/** Refuses HEAD: the library would run it as a GET, with its side effects. */
function refuseHead(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // Hono passes a HEAD on as a GET; only the raw request has the method.
    if (c.req.raw.method !== 'HEAD') return next()
    return c.body(null, 405, { Allow: 'GET, POST, PUT', 'Cache-Control': 'no-store' })
  }
}

function refuseBrokenEscapes(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!c.req.url.includes('%')) return next()
    try {
      decodeURIComponent(new URL(c.req.url).pathname)
    } catch {
      return refuse(c, 400, 'bad_request', 'The address of the request cannot be read.')
    }
    return next()
  }
}

/** Refuses escapes in paths of the auth service: none needs them, and they could bypass a limit. */
function refuseEscapes(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!new URL(c.req.url).pathname.includes('%')) return next()
    return refuse(c, 404, 'not_found', 'There is nothing at this address.')
  }
}
