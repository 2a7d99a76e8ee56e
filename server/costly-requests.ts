import type { MiddlewareHandler } from 'hono'
import { refuse } from './answers.ts'
import type { HttpEnv } from './http-env.ts'

/**
 * Limits for the address of one request; the product's own requests stay far below. The rows of an answer are
 * limited in backend/library-app.ts (`max_rows`), its bytes in backend/answer-size.ts.
 */
const most = {
  /** Embedded tables, groups of conditions and lists of values. */
  parts: 30,
  /** Nesting. */
  depth: 5,
  /** Parameters, and the conditions within groups. */
  conditions: 60,
  /** Values in one list. */
  listed: 500,
  /** Characters of a pattern, which is compared at every position of every row. */
  pattern: 200,
  wildcards: 5,
}

const operators = {
  regular: 'i?match(?:\\((?:any|all)\\))?\\.',
  pattern: 'i?like(?:\\((?:any|all)\\))?\\.',
}

/** An operator at the beginning of a filter, or within a group of conditions. */
function finder(operator: string) {
  const asFilter = new RegExp(`^(?:not\\.)?${operator}`, 'i')
  const inGroup = new RegExp(`[.,(]${operator}`, 'i')
  return ([name, value]: [string, string]) => (isGroup(name) ? inGroup : asFilter).test(value)
}

const isRegular = finder(operators.regular)
const isPattern = finder(operators.pattern)

function isGroup(name: string): boolean {
  return /(?:^|\.)(?:or|and)$/.test(name)
}

/**
 * Refuses requests that could keep the database busy for minutes: regular expressions with back references,
 * patterns of thousands of characters, tables or conditions nested a hundred times.
 */
export function refuseCostly(): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (!c.req.url.includes('?')) return next()
    const parameters = [...new URL(c.req.url).searchParams]
    if (parameters.some(isRegular)) {
      return refuse(c, 400, 'PGRST100', 'Rows cannot be filtered by a regular expression.')
    }
    if (parameters.some(isLongPattern)) {
      return refuse(c, 400, 'PGRST100', 'The pattern to filter by is too long.')
    }
    return asksTooMuch(parameters)
      ? refuse(c, 400, 'PGRST100', 'The request asks for too much at once.')
      : next()
  }
}

function isLongPattern(parameter: [string, string]): boolean {
  const [, value] = parameter
  const isLong = value.length > most.pattern || count(value, /[*%]/g) > most.wildcards
  return isLong && isPattern(parameter)
}

function asksTooMuch(parameters: [string, string][]): boolean {
  const parts = parameters.reduce((sum, [, value]) => sum + count(value, /\(/g), 0)
  const conditions = parameters.reduce(
    (sum, [name, value]) => sum + (isGroup(name) ? count(value, /,/g) : 1),
    0,
  )
  return (
    parts > most.parts ||
    conditions > most.conditions ||
    parameters.some(([, value]) => depth(value) > most.depth || longestList(value) > most.listed)
  )
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

function depth(text: string): number {
  let level = 0
  let deepest = 0
  for (const letter of text) {
    if (letter === '(') level += 1
    if (letter === ')') level -= 1
    deepest = Math.max(deepest, level)
  }
  return deepest
}

function longestList(text: string): number {
  const lists = text.match(/(?:^|[.,(])in\.\([^)]*/g) ?? []
  return Math.max(0, ...lists.map((list) => count(list, /,/g) + 1))
}
