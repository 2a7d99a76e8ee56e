import { type Context, Hono } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { z } from 'zod'
import { mailAccountInput } from '#domain/mail-account.ts'
import { mailProblemOf, mailProblemWords } from '#domain/mail-problems.ts'
import { refuse } from './answers.ts'
import type { Backend } from './backend/start-backend.ts'
import { clientAddress, peerAddress } from './client-address.ts'
import { createGate } from './gate.ts'
import type { HttpEnv } from './http-env.ts'
import { describeError, logProblem } from './log.ts'
import { mailAccount } from './mailbox/account.ts'
import { fetchPicture } from './mailbox/fetch-picture.ts'
import type { MailDesk } from './mailbox/mail-desk.ts'
import type { Settings } from './settings.ts'

const asked = z.object({ account: mailAccountInput, password: z.string().max(1000).nullable() })
const saved = z.array(mailAccount).min(1)
const id = z.uuid()
const tooMuchAtOnce = 'Too much is being loaded at once. Try again when it is there.'

/**
 * `/mail/v1`: what only the server can do about the user's mail. Who asks is decided by the database, with the token of
 * the session, before anything is done.
 */
export function createMailRoutes(options: {
  settings: Pick<Settings, 'limits' | 'trustedProxies'>
  backend: Backend
}): Hono<HttpEnv> {
  const { settings, backend } = options
  const routes = new Hono<HttpEnv>()
  const { windowSeconds } = settings.limits
  // Whoever tries servers and passwords of others is soon stopped.
  const tries = new RateLimiterMemory({ points: 30, duration: windowSeconds })
  const reads = new RateLimiterMemory({ points: 600, duration: windowSeconds })
  // An attachment needs a connection to a mailbox, a picture one to a server that the sender of the mail has named.
  const attachments = createGate(3, 20)
  const pictures = createGate(4, 60)

  /** Asks the database as whoever sent the request. */
  function ask(c: Context<HttpEnv>, path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(`http://localhost/rest/v1/${path}`, {
      ...init,
      headers: {
        apikey: backend.publicKey,
        authorization: c.req.header('authorization') ?? '',
        'content-type': 'application/json',
        prefer: 'return=representation',
      },
    })
    return backend.fetch(request, peerAddress(c), {
      client: clientAddress(c, settings.trustedProxies),
    })
  }

  routes.use('/mail/v1/*', async (c, next) => {
    const answer = await ask(c, 'mail_accounts?select=id&limit=1')
    const owner = backend.accountOf(c.req.raw)
    if (!answer.ok || !owner) {
      const status = answer.status === 503 ? 503 : 401
      return refuse(c, status, 'not_signed_in', 'Your session has ended. Please sign in again.')
    }
    const counter = /\/(attachment|picture|state)$/.test(c.req.path) ? reads : tries
    const isLate = await counter.consume(owner).then(
      () => false,
      () => true,
    )
    if (isLate) {
      const words = 'Too many tries. Nothing was saved; try again in a quarter of an hour.'
      return refuse(c, 429, 'over_request_rate_limit', words)
    }
    await next()
    c.header('Cache-Control', 'no-store')
  })

  function desk(): MailDesk {
    if (!backend.mail) throw new Error('This server reads no mail')
    return backend.mail
  }

  routes.get('/mail/v1/state', (c) =>
    c.json({ isReady: desk().isReady, hasAgenda: backend.agenda.isOffered }),
  )

  routes.post('/mail/v1/find', async (c) => {
    const read = z.object({ address: z.email().max(320) }).safeParse(await body(c))
    if (!read.success) return refuse(c, 400, 'bad_request', 'This is not an email address.')
    return c.json(await desk().find(read.data.address))
  })

  routes.post('/mail/v1/test', async (c) => {
    const read = asked.safeParse(await body(c))
    if (!read.success) return refuse(c, 400, 'bad_request', problemOf(read.error))
    const { account, password } = read.data
    const owner = backend.accountOf(c.req.raw) ?? ''
    const tested = await desk().test(
      { ...account, id: account.id ?? crypto.randomUUID(), user_id: owner },
      password,
    )
    if (tested) return c.json(tested)
    return refuse(c, 400, 'password_needed', 'Enter the password. Nothing was tested.')
  })

  routes.post('/mail/v1/save', async (c) => {
    const read = asked.safeParse(await body(c))
    if (!read.success) return refuse(c, 400, 'bad_request', problemOf(read.error))
    const { account, password } = read.data
    const { id: known, ...columns } = account
    if (!desk().isReady) {
      const words = 'Passwords can’t be kept yet: set MAIL_KEY on the server. Nothing was saved.'
      return refuse(c, 409, 'no_mail_key', words)
    }
    if (!known && password === null) {
      return refuse(c, 400, 'password_needed', 'Enter the password. Nothing was saved.')
    }
    if (known && password === null) {
      const owner = backend.accountOf(c.req.raw) ?? ''
      if (await desk().wouldLock({ ...account, id: known, user_id: owner })) {
        const words =
          'The password is kept for its servers alone, and these are others. Enter it again. Nothing was saved.'
        return refuse(c, 400, 'password_needed', words)
      }
    }
    const answer = known
      ? await ask(c, `mail_accounts?id=eq.${known}`, {
          method: 'PATCH',
          body: JSON.stringify(columns),
        })
      : await ask(c, 'mail_accounts', { method: 'POST', body: JSON.stringify(columns) })
    if (!answer.ok) {
      const { message } = z.object({ message: z.string() }).parse(await answer.json())
      const words = answer.status === 409 ? 'This mailbox is already connected.' : message
      return refuse(c, answer.status === 409 ? 409 : 400, 'refused', words)
    }
    const rows = saved.safeParse(await answer.json())
    const row = rows.success ? rows.data[0] : undefined
    if (!row) {
      return refuse(c, 404, 'not_found', 'This mailbox no longer exists. Nothing was saved.')
    }
    if (password !== null) await desk().keep(row, password)
    return c.json({ id: row.id })
  })

  routes.post('/mail/v1/attachment', async (c) => {
    const read = z.object({ mail: id, part: z.string().max(50) }).safeParse(await body(c))
    if (!read.success) return refuse(c, 400, 'bad_request', 'There is no such attachment.')
    const owner = backend.accountOf(c.req.raw) ?? ''
    const leave = await attachments.enter(owner)
    if (!leave) return refuse(c, 429, 'over_request_rate_limit', tooMuchAtOnce)
    try {
      const file = await desk().attachment(owner, read.data.mail, read.data.part)
      if (file) {
        // Never shown by the browser, whatever it says that it is.
        return c.body(wholeOrNothing(file.content, c, leave), 200, {
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': 'attachment',
        })
      }
      leave()
    } catch (error) {
      leave()
      const words = mailProblemWords(mailProblemOf(error), 'of the mailbox', 993)
      return refuse(c, 502, 'mailbox_away', words)
    }
    const words = 'This attachment is no longer in the mailbox, or its password is missing.'
    return refuse(c, 404, 'not_found', words)
  })

  routes.post('/mail/v1/picture', async (c) => {
    const read = z.object({ url: z.string().max(4000) }).safeParse(await body(c))
    if (!read.success) return refuse(c, 404, 'not_found', 'This picture can’t be shown.')
    const leave = await pictures.enter(backend.accountOf(c.req.raw) ?? '')
    if (!leave) return refuse(c, 429, 'over_request_rate_limit', tooMuchAtOnce)
    const picture = await fetchPicture(read.data.url, desk().rule).finally(leave)
    if (!picture) return refuse(c, 404, 'not_found', 'This picture can’t be shown.')
    return c.body(new Uint8Array(picture.bytes), 200, { 'Content-Type': picture.type })
  })

  routes.all('/mail/v1/*', (c) => refuse(c, 404, 'not_found', 'There is nothing at this address.'))
  return routes
}

/**
 * Breaks the connection where the content breaks off: an answer that only ended would be taken for all of it, and the
 * size of an attachment is not known beforehand.
 */
function wholeOrNothing(
  content: ReadableStream<Uint8Array>,
  c: Context<HttpEnv>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = content.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          onEnd()
          controller.close()
        } else controller.enqueue(value)
      } catch (error) {
        onEnd()
        logProblem(`An attachment broke off: ${describeError(error)}`)
        c.env?.outgoing?.destroy()
        controller.close()
      }
    },
    cancel(reason) {
      onEnd()
      return reader.cancel(reason)
    },
  })
}

function body(c: Context<HttpEnv>): Promise<unknown> {
  return c.req.json().catch(() => null)
}

function problemOf(error: z.ZodError): string {
  return `${error.issues[0]?.message ?? 'This cannot be read.'} Nothing was saved.`
}
