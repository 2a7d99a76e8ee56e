import { createHash, randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Backend } from './backend/start-backend.ts'
import { type CalendarEvents, calendarFile } from './calendar-file.ts'
import { limitGuesses } from './guesses.ts'
import type { HttpEnv } from './http-env.ts'
import type { Settings } from './settings.ts'
import { isKnown } from './static-files.ts'

const address = /^\/calendar\/([0-9a-f]{64})\.ics$/

/**
 * `/calendar/<token>.ics`. The token is the only proof, because calendar programs cannot sign in. Unknown, revoked
 * and malformed tokens get the same answer, and so does every token where a hosted project holds the data.
 */
export function createCalendarRoutes(options: {
  settings: Pick<Settings, 'publicUrl' | 'limits' | 'trustedProxies'>
  backend: Pick<Backend, 'calendarEvents'> | null
}): Hono<HttpEnv> {
  const { settings, backend } = options
  const routes = new Hono<HttpEnv>()
  // Another version of this server may format the same events differently, so tags end with the process.
  const start = randomUUID()
  /** Hashes the events rather than the file, which is then made only when it is sent. */
  function tagOf(events: CalendarEvents): string {
    const hash = createHash('sha256').update(start + JSON.stringify(events))
    return `"${hash.digest('base64url').slice(0, 22)}"`
  }
  routes.use(limitGuesses(settings))
  routes.get('*', async (c) => {
    const [, token] = address.exec(c.req.path) ?? []
    const events = token && backend ? await backend.calendarEvents(token) : null
    if (!events) return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
    const headers = { 'Cache-Control': 'private, max-age=300', ETag: tagOf(events) }
    if (isKnown(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers)
    const bytes = new TextEncoder().encode(calendarFile(events, settings.publicUrl))
    return c.body(bytes, 200, {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Length': String(bytes.byteLength),
      // Without a name, a browser would save the file under the secret token.
      'Content-Disposition': 'inline; filename="solo-crm.ics"',
    })
  })
  routes.all('*', (c) =>
    c.text('Method not allowed', 405, { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }),
  )
  return routes
}
