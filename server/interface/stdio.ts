import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { InterfaceError } from '#domain/interface/interface-function.ts'
import { askWithToken } from './ask-with-token.ts'
import { createTools } from './tools.ts'

const address = z.url({
  protocol: /^https?$/,
  error: 'expected an address such as https://crm.example.com',
})

const variables = z.object({
  SOLO_URL: address,
  SOLO_TOKEN: z
    .string()
    .regex(/^solo_[0-9a-f]{64}$/, 'expected a token from Settings, Connections'),
  SOLO_KEY: z.string().optional(),
})

const scope = z.object({ scope: z.enum(['read', 'propose', 'write']) })

/**
 * `npm run mcp`: the tools on standard input and output, for assistants that start a program. It asks the server, or the
 * Supabase project, over HTTP and never opens a database.
 */
export async function serveTools(env: Record<string, string | undefined>): Promise<void> {
  const read = variables.safeParse(env)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { SOLO_URL: url, SOLO_TOKEN: token, SOLO_KEY: key } = read.data
  // The address for web assistants stands beside this one, so it is copied for it.
  const origin = url.replace(/\/+$/, '').replace(/\/mcp$/, '')
  const ask = askWithToken(token, async (body) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { apikey: key } : {}) },
      body,
      signal: AbortSignal.timeout(60_000),
    }
    // Node's own words are "fetch failed".
    return fetch(`${origin}/rest/v1/rpc/call_with_token`, request).catch(() => {
      throw new InterfaceError(503, 'unreachable', unreachable(origin))
    })
  })
  const known = scope.parse(await ask('token', {}))
  serveStdio(() => createTools(ask, known.scope !== 'read'))
}

function unreachable(origin: string): string {
  return `No answer from ${origin}. Check that the server runs, and SOLO_URL.`
}
