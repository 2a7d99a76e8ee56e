import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Ask } from '#domain/interface/interface-function.ts'
import { createTools } from './tools.ts'

/** Answers one request of the Model Context Protocol; each has a server of its own, which holds nothing. */
export async function answerProtocol(
  request: Request,
  ask: Ask,
  mayWrite: boolean,
): Promise<Response> {
  const handler = createMcpHandler(() => createTools(ask, mayWrite))
  const response = await handler.fetch(request)
  response.headers.set('Cache-Control', 'no-store')
  return response
}
