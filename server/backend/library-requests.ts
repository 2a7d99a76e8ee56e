import type { Connection } from '@supabase/lite'
import { nameRelationships } from './embedded-tables.ts'
import type { Answerer } from './plain-requests.ts'
import { publicAnswer, translateDatabaseError } from './public-error.ts'

/** Rewrites requests that the library would answer wrongly, and its answers back to what the client asked for. */
export function adaptForLibrary(connection: Connection, ask: Answerer): Answerer {
  return async (request) => {
    const [, table] = /^https?:\/\/[^/]+\/rest\/v1\/([a-z0-9_]+)(?:\?|$)/.exec(request.url) ?? []
    if (!table) return ask(request)
    const url = new URL(request.url)
    const select = url.searchParams.get('select') ?? ''
    const { foreign_keys: keys } = await connection.introspect({ useCache: true })
    const named = nameRelationships(select, table, keys)
    const prefer = request.headers.get('prefer') ?? ''
    const counted = countExactly(prefer)
    if (named !== select) url.searchParams.set('select', named)
    const asked = named === select && counted === prefer ? request : new Request(url, request)
    if (counted !== prefer) asked.headers.set('prefer', counted)
    const response = await ask(asked)
    return select.includes('(') || response.status === 500
      ? asAsked(request, select, response)
      : response
  }
}

/**
 * A planned or estimated count comes from statistics over the rows of all accounts, so it would reveal how many
 * rows the others have. The exact count is of the caller's own rows, and no slower than reading them.
 */
function countExactly(prefer: string): string {
  return prefer.replace(/(^|,)(\s*)count\s*=\s*(?:planned|estimated)\s*(?=,|$)/g, '$1$2count=exact')
}

async function asAsked(request: Request, select: string, response: Response): Promise<Response> {
  if (response.status === 500) return (await readOnlyAnswer(response)) ?? response
  if (response.status === 400) return withoutKeys(response, select)
  const [path, search] = response.headers.get('content-location')?.split('?') ?? []
  if (search !== undefined) {
    const parameters = new URLSearchParams(search)
    parameters.set('select', select)
    const answer = new Response(response.body, response)
    answer.headers.set('content-location', `${path}?${parameters}`)
    return answer
  }
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const isOne = request.headers.get('accept')?.startsWith('application/vnd.pgrst.object')
  return isWrite && isOne && response.ok ? asOneObject(response) : response
}

/** Removes the foreign keys that we added from the error message, where the library quotes the request. */
async function withoutKeys(response: Response, select: string): Promise<Response> {
  const text = await response.text()
  const asAsked = text.replace(/!?([a-z0-9_]+_fkey)/g, (quoted, key) =>
    select.includes(key) ? quoted : '',
  )
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(asAsked, { status: response.status, headers })
}

/** The answer for a write to a view with embedded rows, on which the library fails for want of a primary key. */
async function readOnlyAnswer(response: Response): Promise<Response | null> {
  const text = await response.clone().text()
  if (!text.includes('PGRSTXXX')) return null
  return publicAnswer(translateDatabaseError(Object.assign(new Error(), { code: '55000' })))
}

/** Unwraps the row of a write with embedded rows: the library returns a list where one object was asked for. */
async function asOneObject(response: Response): Promise<Response> {
  const rows: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  if (!Array.isArray(rows) || rows.length > 1) return response
  if (rows.length === 0) {
    const message = 'Cannot coerce the result to a single JSON object'
    const details = 'The result contains 0 rows'
    return Response.json({ code: 'PGRST116', message, details, hint: null }, { status: 406 })
  }
  const body = JSON.stringify(rows[0])
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/vnd.pgrst.object+json; charset=utf-8')
  headers.set('content-length', String(Buffer.byteLength(body)))
  return new Response(body, { status: response.status, headers })
}
