import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { doubtsAbout } from '#domain/lead-doubts.ts'
import {
  fieldsOfForm,
  type LeadField,
  type ShownForm,
  stampName,
  trapName,
} from '#domain/lead-form.ts'
import { readLead, type Sent } from '#domain/lead-reading.ts'
import type { Leads } from './backend/leads.ts'
import { DatabaseAway, unreachable } from './backend/public-error.ts'
import type { SharedAttempts } from './backend/shared-attempts.ts'
import { formPage, formPolicy, thanksPage } from './form-page.ts'
import { limitGuesses } from './guesses.ts'
import type { HttpEnv } from './http-env.ts'
import { limitForms } from './limits.ts'
import { describeError, logProblem } from './log.ts'
import { messagePage } from './plain-page.ts'
import type { Settings } from './settings.ts'
import { stampAge, writeStamp } from './stamps.ts'

const address = /^\/f\/([0-9a-f]{32})(\/thanks)?$/
/** More than thirty long texts. */
const maxBytes = 500_000

/**
 * `/f/<id>`: the page of a form, and where its page, a form on another site or a program sends to. Whoever asks has no
 * session, and none is looked at: a form is open to everyone who knows its address.
 */
export function createFormRoutes(options: {
  settings: Pick<Settings, 'limits' | 'trustedProxies'>
  leads: Leads | null
  attempts?: SharedAttempts | null
}): Hono<HttpEnv> {
  const { settings, leads, attempts = null } = options
  const routes = new Hono<HttpEnv>()
  const waitOf = limitForms(settings, attempts)
  routes.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
  })
  if (!leads) {
    routes.all('*', (c) => missing(c))
    return routes
  }
  routes.use(limitGuesses(settings))
  routes.use(bodyLimit({ maxSize: maxBytes, onError: (c) => tooMuch(c) }))
  routes.onError((error, c) => failed(c, error))

  routes.get('*', async (c) => {
    const [, id = '', isThanks] = address.exec(c.req.path) ?? []
    const form = id ? await leads.form(id) : null
    if (!form) return missing(c)
    if (isThanks) return sendPage(c, 200, form, thanksPage(form))
    const stamp = writeStamp(leads.sign, id, Date.now())
    return sendPage(c, 200, form, formPage({ form, fields: fieldsOfForm(form), stamp }))
  })

  routes.post('*', async (c) => {
    const [, id = '', isThanks] = address.exec(c.req.path) ?? []
    const form = id && !isThanks ? await leads.form(id) : null
    if (!form) return missing(c)
    const fields = fieldsOfForm(form)
    const read = await readBody(c, fields)
    if ('problem' in read) return refuse(c, read.status, 'bad_request', read.problem)
    const { sent } = read
    const given = sent[stampName]?.[0] ?? null
    const again = { form, fields, sent, stamp: given ?? writeStamp(leads.sign, id, Date.now()) }

    const wait = await waitOf(c, id)
    if (wait !== null) {
      c.header('Retry-After', String(wait))
      const words = `Too many messages. Nothing was sent; please try again in ${minutes(wait)}.`
      if (wantsJson(c)) return refuse(c, 429, 'over_request_rate_limit', words)
      return sendPage(c, 429, form, formPage({ ...again, problem: words }))
    }

    const lead = readLead(fields, sent)
    if ('errors' in lead) {
      if (!wantsJson(c)) return sendPage(c, 422, form, formPage({ ...again, errors: lead.errors }))
      const message = 'Some fields cannot be read. Nothing was sent.'
      return c.json({ code: 'invalid_fields', message, fields: lead.errors }, 422)
    }
    const age = stampAge(leads.sign, id, given, Date.now())
    const done = await leads.submit(form, id, lead.lead, doubtsAbout(fields, sent, age))
    if (!done) return missing(c)
    if ('refusal' in done) {
      const { message } = (await done.refusal.json()) as { message: string }
      const status = done.refusal.status as ContentfulStatusCode
      if (wantsJson(c)) return refuse(c, status, 'refused', message)
      return sendPage(c, status, form, formPage({ ...again, problem: message }))
    }
    // Whoever sent spam is told the same as everyone.
    if (wantsJson(c)) return c.json({ status: 'received' })
    // `href` encodes all other letters: a header can hold ASCII only.
    const next = URL.canParse(form.redirect_url ?? '')
      ? new URL(form.redirect_url ?? '').href
      : null
    return c.redirect(next ?? `/f/${id}/thanks`, 303)
  })
  routes.all('*', (c) => c.text('Method not allowed', 405, { Allow: 'GET, HEAD, POST' }))
  return routes
}

type Body = { sent: Sent } | { problem: string; status: 400 | 415 }

async function readBody(c: Context<HttpEnv>, fields: readonly LeadField[]): Promise<Body> {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    const sent: Sent = {}
    for (const [name, value] of new URLSearchParams(await c.req.text())) {
      if (Object.hasOwn(sent, name)) sent[name]?.push(value)
      // A name such as __proto__ must not become anything else than a name.
      else Object.defineProperty(sent, name, { value: [value], enumerable: true })
    }
    return { sent }
  }
  if (type !== 'application/json') {
    const problem =
      'Send the form as application/x-www-form-urlencoded or application/json. Nothing was sent.'
    return { problem, status: 415 }
  }
  const body = await c.req.json().catch(() => null)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { problem: 'The request must be a JSON object. Nothing was sent.', status: 400 }
  }
  const known = [...fields.map(({ name }) => name), trapName, stampName]
  const sent: Sent = {}
  for (const [name, value] of Object.entries(body)) {
    if (!known.includes(name)) {
      const problem = `There is no field called ${name.slice(0, 60)}. Nothing was sent.`
      return { problem, status: 400 }
    }
    sent[name] = [value].flat().flatMap(textOf)
  }
  return { sent }
}

/** Programs send numbers, true and false as such. */
function textOf(value: unknown): string[] {
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}

function wantsJson(c: Context): boolean {
  if (/^application\/json\b/i.test(c.req.header('content-type') ?? '')) return true
  const accept = c.req.header('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

type Page = ReturnType<typeof formPage>

function sendPage(
  c: Context,
  status: ContentfulStatusCode,
  form: Pick<ShownForm, 'redirect_url'> | null,
  page: Page,
) {
  c.header('Content-Security-Policy', formPolicy(form?.redirect_url ?? null))
  return c.html(page, status)
}

/** In words, as a page or as JSON. */
function refuse(c: Context, status: ContentfulStatusCode, code: string, message: string) {
  if (wantsJson(c)) return c.json({ code, message }, status)
  return sendPage(c, status, null, messagePage('This didn’t work', message))
}

function missing(c: Context) {
  if (wantsJson(c)) return refuse(c, 404, 'not_found', 'There is no such form. Nothing was sent.')
  const words = 'There is no form at this address. Ask whoever gave it to you for a new one.'
  return sendPage(c, 404, null, messagePage('Form not found', words))
}

function tooMuch(c: Context) {
  return refuse(c, 413, 'payload_too_large', 'This is too much at once. Nothing was sent.')
}

function failed(c: Context, error: Error) {
  const isAway = error instanceof DatabaseAway
  if (!c.req.raw.signal.aborted) logProblem(`A form failed: ${describeError(error)}`)
  c.header('Cache-Control', 'no-store')
  if (isAway) return refuse(c, 503, 'unavailable', unreachable.message)
  const words = 'Something went wrong. Nothing was sent; go back and try again in a moment.'
  return refuse(c, 500, 'unexpected_failure', words)
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}
