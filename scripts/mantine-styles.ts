import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const ofMantine = source('node_modules/@mantine/core/styles/')
/** Not of a component. */
const always = ['baseline', 'default-css-variables', 'global']

/** The components whose styles a list of ours imports, as they stand there. */
function listed(file: string): string[] {
  const text = readFileSync(source(`src/ui/${file}`), 'utf8')
  return [...text.matchAll(/@mantine\/core\/styles\/(.+)\.layer\.css/g)].map(
    ([, name]) => name ?? '',
  )
}

/** All components with styles, in the order in which Mantine's own file has them: a later one may overrule an earlier. */
function inOrder(): string[] {
  const plain = (css: string) => css.replace(/\s+/g, '')
  const whole = plain(readFileSync(source('node_modules/@mantine/core/styles.layer.css'), 'utf8'))
  const placeOf = (file: string) => {
    const css = plain(readFileSync(`${ofMantine}${file}`, 'utf8'))
    return whole.indexOf(css.replace('@layermantine{', '').slice(0, 80))
  }
  return readdirSync(ofMantine)
    .filter((file) => file.endsWith('.layer.css'))
    .map((file) => ({ name: file.replace('.layer.css', ''), place: placeOf(file) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ name }) => name)
}

/**
 * Fails the build when a component is used whose styles no list imports, or a list imports what nothing uses. The whole of
 * Mantine's styles is three times what the first screens need, and nothing is drawn before styles have come.
 */
export function mantineStyles(neededOften: string[]): Plugin {
  return {
    name: 'solo-crm:mantine-styles',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      const faults = faultsOfStyles({
        first: componentsOf(neededOften),
        all: componentsOf(chunks.flatMap(({ moduleIds }) => moduleIds)),
      })
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  }
}

function componentsOf(modules: string[]): Set<string> {
  return new Set(
    modules.flatMap((id) => /@mantine\/core\/esm\/.*?(\w+)\.module\.mjs/.exec(id)?.[1] ?? []),
  )
}

/** What is wrong with the two lists, for the components that screens which one starts with use, and all others. */
function faultsOfStyles(used: { first: Set<string>; all: Set<string> }): string[] {
  const first = listed('mantine-first.css')
  const later = listed('mantine-later.css')
  const order = inOrder()
  const known = new Set(order)
  const faults: string[] = []
  for (const name of [...always, ...used.first]) {
    if (known.has(name) && !first.includes(name)) faults.push(`mantine-first.css lacks ${name}.`)
  }
  for (const name of used.all) {
    if (known.has(name) && !first.includes(name) && !later.includes(name)) {
      faults.push(`mantine-later.css lacks ${name}.`)
    }
  }
  for (const name of first) {
    if (!always.includes(name) && !used.first.has(name))
      faults.push(`mantine-first.css need not have ${name}.`)
  }
  for (const name of later) {
    if (!used.all.has(name) || first.includes(name))
      faults.push(`mantine-later.css need not have ${name}.`)
  }
  for (const list of [first, later]) {
    const wanted = list.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    const at = list.findIndex((name, place) => name !== wanted[place])
    if (at >= 0) faults.push(`${wanted[at]} stands before ${list[at]} in Mantine's order.`)
  }
  return faults
}
