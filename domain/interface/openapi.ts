import { z } from 'zod'
import { interfaceFunctions } from './functions.ts'
import type { InterfaceFunction } from './interface-function.ts'

/** What a function takes, as JSON Schema. */
export function inputSchema({ input }: InterfaceFunction): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return schema
}

const refusal = {
  description: 'Refused: what happened, and what to do. Nothing was saved.',
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

const answer = { description: 'What the function answers.', content: { 'application/json': {} } }

const proposed = {
  description: 'The token may only propose: nothing was written, and the owner decides.',
  content: { 'application/json': {} },
}

function operation(definition: InterfaceFunction) {
  const { name, title, description, writes } = definition
  const statuses = ['400', '401', '403', '404', '409', '429']
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
        200: answer,
        ...(writes ? { 202: proposed } : {}),
        ...Object.fromEntries(statuses.map((status) => [status, refusal])),
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
