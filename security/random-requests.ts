import type { Asked } from './attacker.ts'
import type { Catalogue } from './catalogue.ts'
import {
  directions,
  mediaTypes,
  methods,
  oddJson,
  oddTexts,
  operators,
  operatorsOf,
  preferences,
  profiles,
  ranges,
  suffixes,
  writePreferences,
} from './odd-values.ts'

export type RandomRequest = Asked & { path: string }

/** The ids that go into the requests: the attacker's own, and those of others that came to be known. */
type Known = { mine: string[]; theirs: string[] }

/**
 * Makes up requests from everything that the database knows, most of them nearly right and each with a
 * little garbage. The same numbers give the same requests, but for the ids.
 */
export function requestMaker(catalogue: Catalogue, random: () => number, known: Known) {
  const { columns, functions, keys, links } = catalogue
  const tables = [...new Set(columns.map((column) => column.table_name))]
  const chance = (share: number) => random() < share
  const below = (limit: number) => Math.floor(random() * limit)
  function pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    // Only lists that hold something are given.
    return list[below(list.length)] as T
  }
  const some = <T>(most: number, make: () => T) => Array.from({ length: below(most + 1) }, make)
  const id = () => pick(chance(0.6) ? known.theirs : known.mine)
  const text = () => (chance(0.3) ? id() : pick(oddTexts))

  function column(table: string): string {
    if (chance(0.03)) return chance(0.5) ? pick(oddTexts) : pick(columns).name
    return pick(columns.filter((each) => each.table_name === table)).name
  }

  function json(depth = 2): unknown {
    if (chance(0.3)) return id()
    if (depth > 0 && chance(0.3)) return some(3, () => json(depth - 1))
    if (depth > 0 && chance(0.5)) {
      return Object.fromEntries(some(4, () => [pick(keys), json(depth - 1)]))
    }
    return pick(oddJson)
  }

  /** Mostly a value of this type. */
  function value(type: string): unknown {
    if (chance(0.15)) return json()
    if (type.endsWith('[]')) return some(3, () => value(type.slice(0, -2)))
    if (type === 'uuid') return id()
    if (type === 'jsonb') return Object.fromEntries(some(4, () => [pick(keys), json(1)]))
    if (type === 'boolean') return chance(0.5)
    if (/int|numeric|double/.test(type)) return pick([0, 1, 2, 50, -1, 2 ** 31, 1.5])
    if (/date|time/.test(type)) return pick(['2026-11-15', '2026-11-15T10:00:00+14:00', 'infinity'])
    return text()
  }

  function condition(table: string): [string, string] {
    const name = column(table)
    const type = columns.find((each) => each.name === name)?.type ?? 'text'
    const operator = chance(0.15) ? pick(operators) : pick(operatorsOf(type))
    const asText = () => asParameter(value(type))
    const operand = /in$|ov|c[sd]/.test(operator) ? `(${some(3, asText).join(',')})` : asText()
    return [`${name}${chance(0.05) ? pick(suffixes) : ''}`, `${operator}.${operand}`]
  }

  function selection(table: string, depth = 2): string {
    const items = some(4, () => {
      if (depth > 0 && chance(0.3)) return embedded(table, depth - 1)
      return `${chance(0.1) ? 'a:' : ''}${column(table)}${chance(0.05) ? pick(suffixes) : ''}`
    })
    return items.length === 0 || chance(0.3) ? ['*', ...items].join(',') : items.join(',')
  }

  /** Another table in a row: mostly one that it is linked with, named in each way that there is. */
  function embedded(table: string, depth: number): string {
    const linked = links.filter((each) => each.one === table || each.other === table)
    const link = linked.length > 0 ? pick(linked) : null
    const child = !link || chance(0.2) ? pick(tables) : link.one === table ? link.other : link.one
    const names = [child, child, child, link?.name ?? child, link?.column ?? child]
    const hints = ['inner', 'left', 'x', child, table, link?.name ?? 'x', link?.column ?? 'x']
    const hint = some(2, () => `!${pick(hints)}`).join('')
    const before = chance(0.15) ? '...' : chance(0.15) ? `${pick(['a', child, 'id', ''])}:` : ''
    const inside = chance(0.05) ? pick(['', 'count()', '*,*', pick(oddTexts)]) : ''
    return `${before}${pick(names)}${hint}(${inside || selection(child, depth)})`
  }

  function search(table: string): string {
    const parts: [string, string][] = some(2, () => condition(table))
    if (chance(0.1)) {
      const child = pick(tables)
      const [name, wanted] = condition(child)
      parts.push([`${child}.${name}`, wanted])
      if (chance(0.5)) parts.push([`${child}.${pick(['limit', 'offset', 'order', 'select'])}`, '1'])
    }
    if (chance(0.5)) parts.push(['select', selection(table)])
    if (chance(0.1)) {
      const group = [condition(table), condition(table)].map((pair) => pair.join('.')).join(',')
      parts.push([pick(['or', 'and', 'not.or', 'not.and', `${pick(tables)}.or`]), `(${group})`])
    }
    if (chance(0.3)) {
      const child = pick(tables)
      const by = chance(0.1) ? `${child}(${column(child)})` : column(table)
      parts.push(['order', `${by}${pick(directions)}`])
    }
    if (chance(0.2)) parts.push(['limit', pick(['0', '1', '5', '-1', '1e9', 'x', '99999999999'])])
    if (chance(0.1)) parts.push(['offset', pick(['0', '1', '-1', 'x', '99999999999'])])
    const someColumns = () => [column(table), ...some(2, () => column(table))].join(',')
    if (chance(0.05)) parts.push(['on_conflict', chance(0.5) ? 'id' : someColumns()])
    if (chance(0.05)) parts.push(['columns', someColumns()])
    if (chance(0.02)) parts.push(['select', selection(table)])
    return query(parts)
  }

  function headers(method: string): Record<string, string> {
    const made: Record<string, string> = {}
    if (chance(0.4)) made.prefer = some(3, () => pick(preferences)).join(',')
    if (!['GET', 'HEAD'].includes(method) && chance(0.5)) made.prefer = pick(writePreferences)
    if (chance(0.1)) made.range = pick(ranges)
    if (chance(0.05)) made['range-unit'] = pick(['items', 'bytes', ''])
    if (chance(0.1)) made.accept = pick(mediaTypes)
    if (chance(0.03)) made['content-type'] = pick(mediaTypes)
    if (chance(0.02)) made['accept-profile'] = pick(profiles)
    if (chance(0.02)) made['content-profile'] = pick(profiles)
    if (chance(0.02)) made['x-http-method-override'] = 'DELETE'
    return made
  }

  function row(table: string): unknown {
    const writable = columns.filter((each) => each.table_name === table && each.can_insert)
    const entries = writable
      .filter(({ has_default, is_nullable }) => chance(has_default || is_nullable ? 0.3 : 0.95))
      .map(({ name, type }) => [name, value(type)])
    if (chance(0.1)) entries.push([column(table), json()])
    return Object.fromEntries(entries)
  }

  function read(): RandomRequest {
    const table = pick(tables)
    return { path: `/rest/v1/${table}${search(table)}`, method: chance(0.1) ? 'HEAD' : 'GET' }
  }

  function write(): RandomRequest {
    const table = pick(tables)
    const body = chance(0.1) ? json() : chance(0.2) ? some(3, () => row(table)) : row(table)
    const method = chance(0.05)
      ? pick(methods)
      : pick(['POST', 'POST', 'PATCH', 'PATCH', 'DELETE', 'PUT'])
    return { path: `/rest/v1/${table}${search(table)}`, method, body }
  }

  function call(): RandomRequest {
    const { name, args } = pick(functions)
    const given = args
      .filter(({ has_default }) => chance(has_default ? 0.5 : 0.97))
      .map((arg) => [arg.name, value(arg.type)] as const)
    const path = `/rest/v1/rpc/${name}`
    const wishes = chance(0.1) ? search(pick(tables)) : ''
    if (chance(0.9)) return { path: path + wishes, method: 'POST', body: Object.fromEntries(given) }
    const asked = query(given.map(([key, each]) => [key, asParameter(each)]))
    return { path: path + asked, method: chance(0.7) ? 'GET' : pick(methods) }
  }

  function stray(): RandomRequest {
    const roots = [
      '/rest/v1/',
      '/rest/v1/rpc/',
      '/auth/v1/',
      '/calendar/',
      '/cards/',
      '/f/',
      '/',
      '/assets/',
      '/app/',
    ]
    const names = ['user', 'token', 'signup', 'verify', 'admin/users', 'settings', 'otp', 'recover']
    const made = some(2, () =>
      encoded(pick([...names, text(), pick(tables), pick(functions).name])),
    )
    return {
      path: pick(roots) + made.join('/') + query(some(2, () => [pick(keys), text()])),
      method: pick(methods),
      body: chance(0.5) ? json() : pick(oddTexts),
    }
  }

  return (): RandomRequest => {
    const { body, ...made } = pick([
      read,
      read,
      read,
      write,
      write,
      call,
      call,
      call,
      call,
      stray,
    ])()
    const { method = 'GET' } = made
    const mayHaveBody = !['GET', 'HEAD'].includes(method)
    return { ...made, headers: headers(method), ...(mayHaveBody ? { body } : {}) }
  }
}

function asParameter(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function query(parts: [string, string][]): string {
  return parts.length === 0 ? '' : `?${parts.map((part) => part.map(encoded).join('=')).join('&')}`
}

function encoded(text: string): string {
  // Half a letter cannot be written in an address.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}
