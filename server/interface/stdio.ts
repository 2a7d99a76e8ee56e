import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
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
  const target = `${url.replace(/\/+$/, '')}/rest/v1/rpc/call_with_token`
  const ask = askWithToken(token, (body) =>
    fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { apikey: key } : {}) },
      body,
      signal: AbortSignal.timeout(60_000),
    }),
  )
  const known = scope.parse(await ask('token', {}))
  serveStdio(() => createTools(ask, known.scope !== 'read'))
}
