import { createHash, randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { vcards, vcardType } from '#domain/vcard.ts'
import type { CardPage, Leads } from './backend/leads.ts'
import { limitGuesses } from './guesses.ts'
import type { HttpEnv } from './http-env.ts'
import type { Settings } from './settings.ts'
import { isKnown } from './static-files.ts'

const address = /^\/cards\/([0-9a-f]{64})\.vcf$/

/**
 * `/cards/<token>.vcf`: the contacts of an account as cards, for address books, which cannot sign in. Like the calendar.
 * It is sent page by page: the whole list is never in memory.
 */
export function createCardRoutes(options: {
  settings: Pick<Settings, 'limits' | 'trustedProxies'>
  leads: Pick<Leads, 'cards'> | null
}): Hono<HttpEnv> {
  const { settings, leads } = options
  const routes = new Hono<HttpEnv>()
  // Another version of this server may write the same contacts differently, so tags end with the process.
  const start = randomUUID()
  routes.use(limitGuesses(settings))
  routes.get('*', async (c) => {
    const [, token] = address.exec(c.req.path) ?? []
    const first = token && leads ? await leads.cards(token, null) : null
    if (!token || !leads || !first) return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
    const hash = createHash('sha256').update(start + first.mark)
    const headers = {
      'Cache-Control': 'private, max-age=300',
      ETag: `"${hash.digest('base64url').slice(0, 22)}"`,
    }
    if (isKnown(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers)
    const described = {
      ...headers,
      'Content-Type': vcardType,
      // Without a name, a browser would save the file under the secret token.
      'Content-Disposition': 'inline; filename="solo-crm.vcf"',
    }
    // Hono passes a HEAD on as a GET; only the raw request has the method.
    if (c.req.raw.method === 'HEAD') return c.body(null, 200, described)
    return c.body(
      cardsOf(first, (after) => leads.cards(token, after)),
      200,
      described,
    )
  })
  routes.all('*', (c) =>
    c.text('Method not allowed', 405, { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }),
  )
  return routes
}

/** The next page is read when the client has taken the one before. */
function cardsOf(
  first: CardPage,
  read: (after: string) => Promise<CardPage | null>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let page: CardPage | null = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (page && page.rows.length > 0) {
          controller.enqueue(encoder.encode(vcards(page.rows)))
        }
        const next: string | null = page?.next ?? null
        if (next === null) {
          controller.close()
          return
        }
        page = await read(next)
        // Revoked while it was read: half a list must not look whole.
        if (!page) controller.error(new Error('The address was revoked'))
      },
    },
    { highWaterMark: 0 },
  )
}
