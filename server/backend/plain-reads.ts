import { CompiledQuery } from 'kysely'
import type { RequestConnection } from './connections.ts'
import type { Keys } from './keys.ts'
import { type Answerer, answerPlainly, plainCaller } from './plain-requests.ts'

type Found = { body: string; count: number }
/** The columns of a table with their types. */
type Columns = Map<string, string>

/** The same limit as in the settings of the library: see `max_rows`. */
const mostRows = 1000

/**
 * Answers the plain reads of one table – some columns, comparisons, an order, a limit – with the JSON that
 * the database itself writes. The library brings every value of every row into JavaScript and out again,
 * which takes longer than all the rest. What is written in any other way (embedded tables, casts, quotes,
 * lists, counts) is asked of the library.
 */
export function answerPlainReads(
  connection: RequestConnection,
  keys: Pick<Keys, 'publishableKey' | 'jwtSecret'>,
  ask: Answerer,
): Answerer {
  return async (request) => {
    const table = readTable(request)
    const claims = table && plainCaller(request, keys)
    if (!claims) return ask(request)
    const introspection = await connection.introspect({ useCache: true })
    const columns: Columns = new Map()
    for (const column of introspection.columns) {
      if (column.schema === 'public' && column.table === table)
        columns.set(column.name, column.type)
    }
    const { searchParams } = new URL(request.url)
    const query = writeRead(table, columns, searchParams)
    const answer =
      query &&
      (await answerPlainly(connection, request, claims, {
        path: `/${table}`,
        readOnly: true,
        query,
        write: ({ body, count }) => ({ body, headers: writeHeaders(table, searchParams, count) }),
      }))
    return answer || ask(request)
  }
}

function readTable({ method, url }: Request): string | null {
  const [, table] = /^https?:\/\/[^/]+\/rest\/v1\/([a-z0-9_]+)(?:\?|$)/.exec(url) ?? []
  return method === 'GET' && table ? table : null
}

function writeHeaders(table: string, parameters: URLSearchParams, count: number) {
  const first = Number(parameters.get('offset') ?? 0)
  parameters.sort()
  return {
    'Content-Range': count > 0 ? `${first}-${first + count - 1}/*` : '*/*',
    ...(parameters.size > 0 ? { 'Content-Location': `/${table}?${parameters}` } : {}),
  }
}

/** The statement, or null when the request is not as plain as that. Only names of columns get into it. */
function writeRead(
  table: string,
  columns: Columns,
  parameters: URLSearchParams,
): CompiledQuery<Found> | null {
  const wishes = { select: '*', order: '', limit: String(mostRows), offset: '0' }
  const { select, order, limit, offset, ...filters } = {
    ...wishes,
    ...Object.fromEntries<string>(parameters),
  }
  const values: string[] = []
  const conditions = Object.entries<string>(filters).map(([name, filter]) =>
    writeCondition(name, columns.get(name), filter, values),
  )
  const parts = [
    writeList(select, (name) => (name === '*' ? name : writeName(name, columns))),
    order === '' ? '' : writeList(order, (term) => writeTerm(term, columns)),
    ...conditions,
  ]
  const [names, terms] = parts
  const isPlain =
    columns.size > 0 &&
    new Set(parameters.keys()).size === parameters.size &&
    /^\d{1,6}$/.test(limit) &&
    /^\d{1,6}$/.test(offset) &&
    parts.every((part) => part !== null)
  if (!isPlain) return null
  return CompiledQuery.raw(
    `select coalesce(json_agg(r), '[]')::text as body, count(*)::integer as count from (
      select ${names} from public."${table}"
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      ${terms === '' ? '' : `order by ${terms}`}
      limit ${Math.min(Number(limit), mostRows)} offset ${offset}
    ) r`,
    values,
  )
}

/** Each part of a list in SQL; null as soon as one of them is not known. */
function writeList(list: string, write: (part: string) => string | null): string | null {
  const written = list.split(',').map(write)
  return written.every((part) => part !== null) ? written.join(', ') : null
}

function writeName(name: string, columns: Columns): string | null {
  return columns.has(name) ? `"${name}"` : null
}

function writeTerm(term: string, columns: Columns): string | null {
  const [, name = '', direction = 'asc', nulls = ''] =
    /^([a-z0-9_]+)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/.exec(term) ?? []
  const written = writeName(name, columns)
  const place = { nullsfirst: ' nulls first', nullslast: ' nulls last' }[nulls] ?? ''
  return written && `${written} ${direction}${place}`
}

const comparisons: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

const comparable = new Set([
  'text',
  'uuid',
  'boolean',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'date',
  'timestamp with time zone',
])

function writeCondition(
  name: string,
  type: string | undefined,
  filter: string,
  values: string[],
): string | null {
  if (type === undefined) return null
  const [, state] = /^is\.(null|true|false)$/.exec(filter) ?? []
  if (state) return `"${name}" is ${state}`
  // Letters, digits and what stands in dates and addresses: nothing that has a second meaning.
  const [, word = '', value = ''] = /^([a-z]+)\.([\p{L}\p{N} @.:+_-]*)$/u.exec(filter) ?? []
  const operator = comparisons[word]
  if (!operator || !comparable.has(type)) return null
  values.push(value)
  return `"${name}" ${operator} $${values.length}::text::${type}`
}
