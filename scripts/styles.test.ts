import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientFolder } from './setup.mjs'

/** What stands in brackets, with brackets in it twice at most. */
const brackets = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g

/** Each selector of a style sheet as the build writes it. */
function selectorsOf(css: string): string[] {
  return [...css.matchAll(/(?<=^|[{};])([^{};@]+)\{/g)].flatMap(([, list = '']) =>
    list
      // A comma within brackets parts no selectors.
      .replaceAll(brackets, (inside) => inside.replaceAll(',', ' '))
      .split(',')
      .map((selector) => selector.trim()),
  )
}

/** Whether `:has()` decides about elements of any kind that lie in the one it asks about, or after it. */
function restylesAnything(selector: string): boolean {
  const [, after] = selector.replaceAll(brackets, '()').split(/:has\(\)(?!.*:has)/)
  const [, ...inside] = after?.split(/[\s>+~]+/) ?? []
  const subject = inside.at(-1)
  return subject !== undefined && !/[.#[]|^[a-z]/i.test(subject)
}

test('a rule that would restyle anything is told from one that names what it styles', () => {
  const told = ['.a:has(li + li) > *', '.a:has(li, b) :not(.c)', ':root:has(.b) ::before']
  expect(told.filter(restylesAnything)).toEqual(told)
  const named = [
    '.a:has(li) > .b',
    '.a > :has(> [b])',
    'tr:has(a) td',
    '.a > *',
    '.a:has(b)::after',
  ]
  expect(named.filter(restylesAnything)).toEqual([])
})

/** The browser keeps one list of what `:has()` restyles: with `*` in it, each new row restyled the whole page. */
test('no rule with :has() restyles anything that it does not name', () => {
  const folder = join(clientFolder, 'assets')
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'))
  const selectors = sheets.flatMap((name) => selectorsOf(readFileSync(join(folder, name), 'utf8')))
  expect(selectors.filter((selector) => selector.includes(':has(')).length).toBeGreaterThan(20)
  expect(selectors.filter(restylesAnything)).toEqual([])
})
