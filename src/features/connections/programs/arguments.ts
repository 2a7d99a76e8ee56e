/** An argument of a function, as the page shows it. */
export type Argument = { name: string; type: string; about: string; isRequired: boolean }

type Schema = {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  anyOf?: Schema[]
  format?: string
}

/** The arguments in a JSON Schema; those within an object follow it, with its name before theirs. */
export function argumentsOf(schema: object, before = ''): Argument[] {
  const { properties = {}, required = [] } = schema as Schema // what our own definitions make
  return Object.entries(properties).flatMap(([key, inner]) => {
    const name = before + key
    const line = {
      name,
      type: typeOf(inner),
      about: inner.description ?? '',
      isRequired: required.includes(key),
    }
    return [line, ...argumentsOf(inner, `${name}.`)]
  })
}

function typeOf({ type, enum: choices, const: only, items, anyOf, format }: Schema): string {
  if (choices) return choices.map(String).join(' | ')
  if (only !== undefined) return String(only)
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ')
  if (type === 'array') return `list of ${items ? typeOf(items) : 'values'}`
  if (format === 'uuid') return 'id'
  if (format === 'date-time') return 'moment'
  return [type ?? 'any'].flat().join(' | ')
}
