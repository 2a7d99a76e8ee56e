// Where a function, table or view of the schema is defined last: npm run schema:where -- parents_first
// A function that was written anew stands in several migrations; only its last text counts. Functions that a loop makes are
// named in a comment above it: "-- Makes private.contact_cards, private.deal_cards.", further lines with three spaces.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'

const created = /^\s*create (?:or replace )?(function|table|view|type) ((?:public|private)\.\w+)/
const renamed =
  /^\s*alter (?:function|table|view|type) ((?:public|private)\.)(\w+).* rename to (\w+)/
const dropped = /^\s*drop (?:function|table|view|type) (?:if exists )?((?:public|private)\.\w+)/
const made = /^\s*--(?: Makes| {2}) (?=(?:public|private)\.\w)/
const names = /(?:public|private)\.\w+/g

/**
 * All names with the places of their definitions, `file:line`, the current one last.
 * @param {string} folder
 */
export function definitions(folder) {
  /** @type {Map<string, string[]>} */
  const places = new Map()
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  for (const file of files.toSorted()) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      const [, , name] = created.exec(line) ?? []
      for (const each of name ? [name] : made.test(line) ? (line.match(names) ?? []) : [])
        places.set(each, [...(places.get(each) ?? []), `${file}:${index + 1}`])
      const [, schema, before, after] = renamed.exec(line) ?? []
      const old = `${schema}${before}`
      if (after)
        places.set(`${schema}${after}`, [...(places.get(old) ?? []), `${file}:${index + 1}`])
      const gone = after ? old : dropped.exec(line)?.[1]
      if (gone) places.delete(gone)
    }
  }
  return places
}

/** @param {string} wanted */
function print(wanted) {
  const all = definitions(join(root, 'supabase/migrations'))
  const found = [...all].filter(([name]) => name.includes(wanted)).toSorted()
  for (const [name, places] of found) {
    const earlier = places.slice(0, -1).map((place) => place.replace(/_.*/, ''))
    const before = earlier.length > 0 ? `  (before: ${earlier.join(', ')})` : ''
    console.log(`${name}  supabase/migrations/${places.at(-1)}${before}`)
  }
  if (found.length > 0) return
  console.error(`No function, table or view has "${wanted}" in its name.`)
  process.exitCode = 1
}

const [, script, wanted = ''] = process.argv
if (script && import.meta.url === pathToFileURL(resolve(script)).href) print(wanted)
