import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Grants } from '../backend/grants.ts'
import type { HttpEnv } from '../http-env.ts'
import { type Markup, pagePolicy } from '../plain-page.ts'
import type { Settings } from '../settings.ts'

/** Whose password this is, or why nobody is let in. */
export type SignIn = (
  c: Context<HttpEnv>,
  email: string,
  password: string,
) => Promise<{ account: string } | { status: ContentfulStatusCode; problem: string }>

/** What the routes of OAuth share. */
export type OauthOptions = {
  settings: Pick<Settings, 'publicUrl' | 'limits' | 'trustedProxies'>
  grants: Grants
  signIn: SignIn
}

export function secret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** The fields of a form; null where there is none, or a name is there twice, so that two readers could differ. */
export async function readForm(c: Context): Promise<URLSearchParams | null> {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const form = new URLSearchParams(await c.req.text())
  const names = [...form.keys()]
  return new Set(names).size === names.length ? form : null
}

export function sendPage(
  c: Context,
  status: ContentfulStatusCode,
  page: Markup,
): Response | Promise<Response> {
  c.header('Content-Security-Policy', pagePolicy())
  c.header('Referrer-Policy', 'same-origin')
  return c.html(page, status)
}

/** A refusal as OAuth writes it. */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  words: string,
): Response {
  return c.json({ error, error_description: words }, status)
}
