import { z } from 'zod'
import { proposedAnswer } from './answers.ts'
import { interfaceFunctions } from './functions.ts'
import type { InterfaceFunction } from './interface-function.ts'

/** What a function takes, as JSON Schema. */
export function inputSchema({ input }: InterfaceFunction): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return schema
}

const refusal = {
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

function json(answer: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(answer, { unrepresentable: 'any' })
  return { 'application/json': { schema } }
}

const proposed = {
  description: 'The token may only propose: nothing was written, and the owner decides.',
  content: json(proposedAnswer),
}

const refusals = {
  400: 'The arguments are wrong.',
  401: 'The token is not known, was revoked or has expired.',
  403: 'The token may not do this.',
  404: 'There is no such function or record.',
  409: 'Something else stands against it.',
  413: 'More than 1 MB, or arguments of more than 200,000 bytes.',
  429: 'Too many requests: Retry-After says when to come back.',
  503: 'The database is away or busy: Retry-After says when to come back.',
}

function operation(definition: InterfaceFunction) {
  const { name, title, description, writes, answer } = definition
  return {
    post: {
      operationId: name,
      summary: title,
      description,
      tags: [writes ? 'Writing' : 'Reading'],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: inputSchema(definition) } },
      },
      responses: {
        200: { description: 'What the function answers.', content: json(answer) },
        ...(writes ? { 202: proposed } : {}),
        ...Object.fromEntries(
          Object.entries(refusals).map(([status, words]) => [
            status,
            { ...refusal, description: `${words} Nothing was saved.` },
          ]),
        ),
      },
    },
  }
}

/** The description of the interface for programs, OpenAPI 3.1. */
export function openApi({ origin, version }: { origin: string; version: string }) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Solo CRM',
      version,
      description:
        'Each function is a POST with its arguments as JSON, and an access token from Settings, Connections. Functions that write answer with a batch, which undo takes back.',
    },
    servers: [{ url: `${origin}/api/v1` }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An access token, solo_…' },
      },
    },
    paths: Object.fromEntries(
      interfaceFunctions.map((definition) => [`/${definition.name}`, operation(definition)]),
    ),
  }
}
