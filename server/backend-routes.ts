import { Hono, type MiddlewareHandler } from 'hono'
import { answerFailure, refuse } from './answers.ts'
import type { Backend } from './backend/index.ts'
import { limitBody, readAuthBody } from './bodies.ts'
import { createCalendarRoutes } from './calendar-routes.ts'
import { peerAddress } from './client-address.ts'
import { sealAnswer, securityHeaders } from './headers.ts'
import type { HttpEnv } from './http-env.ts'
import { limitAuth } from './limits.ts'
import type { Settings } from './settings.ts'

/** Embedded tables, groups of conditions and lists of values in one address. */
const mostParts = 30

/**
 * /health, /calendar, /auth/v1 and /rest/v1, without the pages: what the built server and the development
 * server share. Each request to the backend reads as one sentence: headers, size, body, limits, backend.
 */
export function createBackendRoutes(options: {
  settings: Settings
  backend: Backend | null
}): Hono<HttpEnv> {
  const { settings, backend } = options
  const routes = new Hono<HttpEnv>()
  routes.onError(answerFailure)
  for (const path of ['/health', '/calendar/*', '/auth/v1/*', '/rest/v1/*']) {
    routes.use(path, securityHeaders(settings))
  }

  routes.get('/health', async (c) => {
    const isHealthy = backend === null || (await backend.isHealthy().catch(() => false))
    c.header('Cache-Control', 'no-store')
    return isHealthy ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
  })
  routes.all('/health', (c) => c.text('Method not allowed', 405, { Allow: 'GET, HEAD' }))
  routes.route('/calendar/', createCalendarRoutes({ settings, backend }))

  for (const path of ['/auth/v1/*', '/rest/v1/*']) {
    // Preflights end here without a grant: no other origin may call us.
    routes.options(path, (c) => c.body(null, 204, { 'Cache-Control': 'no-store' }))
    if (!backend) {
      routes.all(path, (c) =>
        refuse(c, 404, 'not_found', 'This server holds no data: ask the Supabase project instead.'),
      )
    }
  }
  if (!backend) return routes

  routes.use(
    '/auth/v1/*',
    leadToPage(),
    refuseHead(),
    refuseEscapes(),
    limitBody(),
    readAuthBody(),
    limitAuth(settings),
  )
  routes.use('/rest/v1/*', refuseBrokenEscapes(), refuseCostly(), limitBody())
  for (const path of ['/auth/v1/*', '/rest/v1/*']) {
    routes.all(path, async (c) => sealAnswer(await backend.fetch(c.req.raw, peerAddress(c))))
  }
  return routes
}

/**
 * Links of mails that were sent before they led to our page. The library would use the token up for a mere look,
 * as programs take that check mails; the page asks for a press.
 */
function leadToPage(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const isLook = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!isLook || !/^\/auth\/v1\/verify\/*$/.test(c.req.path)) return next()
    const { token = '', type = '' } = c.req.query()
    c.header('Cache-Control', 'no-store')
    return c.redirect(`/auth#${new URLSearchParams({ token_hash: token, type })}`, 303)
  }
}

/** The library would answer a HEAD as a GET, and do what that asks for. */
function refuseHead(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    // The framework hands a HEAD on as a GET; the request itself still says what it was.
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

/**
 * What one request could keep the database busy with for minutes: a regular expression that refers back to
 * itself, over a text of a few hundred letters; tables embedded in each other a hundred times, or groups of
 * conditions. Nothing of ours asks for the like.
 */
function refuseCostly(): MiddlewareHandler<HttpEnv> {
  const operator = 'i?match(?:\\((?:any|all)\\))?\\.'
  const asFilter = new RegExp(`^(?:not\\.)?${operator}`, 'i')
  const inGroup = new RegExp(`[.,(]${operator}`, 'i')
  return async (c, next) => {
    if (!c.req.url.includes('?')) return next()
    const parameters = [...new URL(c.req.url).searchParams]
    const isPattern = parameters.some(([name, value]) =>
      (/(?:^|\.)(?:or|and)$/.test(name) ? inGroup : asFilter).test(value),
    )
    if (isPattern) {
      return refuse(c, 400, 'PGRST100', 'Rows cannot be filtered by a regular expression.')
    }
    const parts = parameters.flatMap(([, value]) => value.match(/\(/g) ?? []).length
    if (parts > mostParts) {
      return refuse(c, 400, 'PGRST100', 'The request asks for too much at once.')
    }
    return next()
  }
}

/** No path of the auth service needs an escape; one could only serve to slip past a limit. */
function refuseEscapes(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!new URL(c.req.url).pathname.includes('%')) return next()
    return refuse(c, 404, 'not_found', 'There is nothing at this address.')
  }
}
