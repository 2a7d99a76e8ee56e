import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { screenSources } from './screen-files.ts'
import { clientFolder, root } from './setup.mjs'

/** In bytes, gzip: what a screen may load before its first row. */
const most = 220_000
/** Those that need more still, and how much: see decision 062. */
const above: Record<string, number> = {
  contacts: 229_000,
  deals: 235_500,
  'deals?view=board': 315_500,
  tasks: 232_000,
  outbox: 242_500,
  'settings/import': 309_000,
  'settings/fields': 313_000,
  'settings/email': 244_000,
  'settings/connections': 302_000,
  'settings/connections/interface': 299_000,
  'settings/backup': 240_500,
  'settings/trash': 253_500,
  'settings/history': 259_000,
  'settings/duplicates': 239_000,
}

test('every screen has its files named', () => {
  const text = readFileSync(join(root, 'src/app/screens.ts'), 'utf8')
  const paths = [...text.matchAll(/path: '(.+)'/g)].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(20)
  const named = Object.keys(screenSources).filter((name) => !name.includes('?'))
  expect(named.toSorted()).toEqual(['auth', ...paths].toSorted())
})

test('no screen loads more than its share of JavaScript, by the files of the build', () => {
  const read = (name: string) => readFileSync(join(clientFolder, name), 'utf8')
  const size = (path: string) => statSync(join(clientFolder, `${path}.gz`)).size
  // With the two scripts that the page has besides the app's own.
  const ofPage = [...read('app.html').matchAll(/<script[^>]* src="(.+?)"/g)].map(([, path]) => path)
  expect(ofPage).toContain('/first-data.js')
  const screens: Record<string, string[]> = JSON.parse(read('screen-files.json'))
  expect(Object.keys(screens)).toEqual(Object.keys(screenSources))
  const totals = Object.entries(screens).map(([screen, files]) => {
    const scripts = new Set([...ofPage, ...files])
    return [screen, [...scripts].reduce((sum, path) => sum + size(path ?? ''), 0)] as const
  })
  console.log(totals.map(([screen, total]) => `${screen}: ${total}`).join(', '))
  expect(totals.filter(([screen, total]) => total > (above[screen] ?? most))).toEqual([])
  // What has become small enough is not listed any longer.
  expect(totals.filter(([screen, total]) => screen in above && total <= most)).toEqual([])
})
