import { Hono } from 'hono'
import { z } from 'zod'
import type { Grants } from '../backend/grants.ts'
import type { SharedAttempts } from '../backend/shared-attempts.ts'
import type { HttpEnv } from '../http-env.ts'
import { limitRegistrations } from '../limits.ts'
import type { Settings } from '../settings.ts'
import { refuse } from './answers.ts'
import { hostOf, isRedirectAddress } from './redirect-address.ts'

/** What a program says of itself (RFC 7591). The rest of what it may send is not asked for. */
const registration = z.object({
  client_name: z.string().nullish(),
  redirect_uris: z.array(z.string()).min(1).max(10),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
})

/** `/oauth/register`: programs introduce themselves. */
export function createRegistrationRoutes(
  settings: Pick<Settings, 'limits' | 'trustedProxies'>,
  grants: Grants,
  attempts: SharedAttempts | null,
): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  const waitOf = limitRegistrations(settings, attempts)
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
  return routes
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
