import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Backend } from './backend/start-backend.ts'
import { limitGuesses } from './guesses.ts'
import type { HttpEnv } from './http-env.ts'
import { describeError, logProblem } from './log.ts'
import { messagePage, pagePolicy, plainPage } from './plain-page.ts'
import type { Settings } from './settings.ts'

/**
 * `/agenda/<account>/<proof>`: turns the agenda by mail off, for whoever has the link of one, without a session. Looking
 * changes nothing, since scanners of mail open links; a button does, and so do mail programs (RFC 8058).
 */
export function createAgendaRoutes(options: {
  settings: Pick<Settings, 'limits' | 'trustedProxies'>
  agenda: Backend['agenda'] | null
}): Hono<HttpEnv> {
  const { settings, agenda } = options
  const routes = new Hono<HttpEnv>()
  routes.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    c.header('Content-Security-Policy', pagePolicy())
  })
  routes.use(limitGuesses(settings))
  routes.onError((error, c) => {
    logProblem(`An agenda could not be turned off: ${describeError(error)}`)
    const words = 'Solo CRM can’t do this right now. The agenda is still on; try again in a moment.'
    c.header('Cache-Control', 'no-store')
    c.header('Content-Security-Policy', pagePolicy())
    return c.html(messagePage('This didn’t work', words), 503)
  })
  const accountOf = (c: Context<HttpEnv>) => agenda?.accountAt(c.req.path) ?? null

  routes.get('*', (c) => (accountOf(c) ? c.html(questionPage()) : missing(c)))
  routes.post('*', async (c) => {
    const account = accountOf(c)
    if (!account || !agenda) return missing(c)
    await agenda.end(account)
    return c.html(
      messagePage(
        'The agenda is off',
        'You get no more agendas by email. Turn it on again in Settings, Email.',
      ),
    )
  })
  routes.all('*', (c) => c.text('Method not allowed', 405, { Allow: 'GET, HEAD, POST' }))
  return routes
}

function questionPage() {
  return plainPage(
    'Turn off the agenda?',
    html`<h1>Turn off the agenda?</h1>
      <p class="intro">You’ll get no more emails with your tasks, meetings and deals of the day.</p>
      <form method="post"><button type="submit">Turn it off</button></form>`,
    { foot: 'Solo CRM' },
  )
}

function missing(c: Context<HttpEnv>) {
  const words = 'This link doesn’t work. Sign in and turn the agenda off in Settings, Email.'
  return c.html(messagePage('Nothing was changed', words), 404)
}
