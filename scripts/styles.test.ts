import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientFolder } from './setup.mjs'

/** Each selector of a style sheet as the build writes it, without the brackets that a comma could stand in. */
function selectorsOf(css: string): string[] {
  return [...css.matchAll(/(?<=^|[{};])([^{};@]+)\{/g)].flatMap(([, list = '']) => {
    const flat = list.replaceAll(/\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g, (inside) =>
      inside.replaceAll(',', ' '),
    )
    return flat.split(',').map((selector) => selector.trim())
  })
}

/** Whether `:has()` decides about elements of any kind inside or after the one that it asks about. */
function restylesAnything(selector: string): boolean {
  const at = selector.indexOf(':has(')
  if (at === -1) return false
  const [, after = ''] =
    /^(?:[^()]|\((?:[^()]|\([^()]*\))*\))*?:has\((?:[^()]|\([^()]*\))*\)(.*)$/.exec(selector) ?? []
  const parts = after.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '').split(/[\s>+~]+/)
  const [own, ...inside] = parts
  const subject = inside.at(-1)
  return own !== undefined && subject !== undefined && !/[.#[]|^[a-z]/i.test(subject)
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
