import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type Markup, pagePolicy } from '../plain-page.ts'

/**
 * The fields of a form; null where there is none, where a name is there twice, so that two readers could differ, or where a
 * value has a letter that no database stores.
 */
export async function readForm(c: Context): Promise<URLSearchParams | null> {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const form = new URLSearchParams(await c.req.text())
  const names = [...form.keys()]
  const isStorable = [...form.values()].every((value) => !value.includes('\0'))
  return isStorable && new Set(names).size === names.length ? form : null
}

/** A page that runs nothing. */
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
