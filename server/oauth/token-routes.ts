import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { Grants, Issued } from '../backend/grants.ts'
import type { HttpEnv } from '../http-env.ts'
import { readForm, refuse } from './answers.ts'
import { furthest, isResource, scopeText } from './authorization-request.ts'
import { newSecret } from './secrets.ts'

const accessSeconds = 3600

/** `/oauth/token` and `/oauth/revoke`: what a program is given for a code, how it is renewed, and how it ends. */
export function createTokenRoutes(grants: Grants, resource: string): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()

  routes.post('/oauth/token', async (c) => {
    const form = await readForm(c)
    if (!form) return refuse(c, 400, 'invalid_request', 'Expected a form, each name once.')
    const client = await grants.client(form.get('client_id') ?? '')
    if (!client) return refuse(c, 401, 'invalid_client', 'This client is not known.')
    if (!isResource(form.get('resource'), resource)) {
      return refuse(c, 400, 'invalid_target', `Tokens are for ${resource} alone.`)
    }
    const tokens = { access: newSecret('solo_at_'), refresh: newSecret('solo_rt_') }
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
    c.set('isGuess', false)
    c.set('nextProof', tokens.refresh)
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
  return routes
}

function refuseGrant(c: Context<HttpEnv>, error: 'unknown' | 'used' | 'wrong' | 'scope'): Response {
  if (error === 'scope') {
    return refuse(c, 400, 'invalid_scope', 'More than the owner of the account has allowed.')
  }
  if (error === 'unknown') c.set('isGuess', true)
  return refuse(c, 400, 'invalid_grant', 'This is not known, has expired or was used before.')
}
