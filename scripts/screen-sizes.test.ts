import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { screenSources } from './screen-files.ts'
import { clientFolder, root } from './setup.mjs'

/** In bytes, gzip: what a screen may load before its first row. */
const most = 220_000
/** Those that need more still, and how much: see decision 062. */
const above: Record<string, number> = {
  contacts: 227_500,
  deals: 230_000,
  'deals?view=board': 240_000,
  outbox: 223_500,
  'settings/import': 298_000,
  'settings/fields': 306_500,
  'settings/email': 234_000,
  'settings/connections': 281_500,
  'settings/connections/interface': 271_500,
  'settings/backup': 224_000,
  'settings/trash': 247_000,
  'settings/history': 241_000,
  'settings/duplicates': 235_500,
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
