import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const mark = '?forms'

/**
 * Gives the forms, which use all of zod, a copy of their own. Every screen uses `zod/mini`, which has the same core, and
 * the bundler keeps each part of a module that any importer uses: without the copy, screens without a form would load
 * 10 kB more.
 */
export function formsZod(): Plugin {
  return {
    name: 'solo-crm:forms-zod',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const isInCopy = importer?.endsWith(mark) ?? false
      if (source !== 'zod' && !isInCopy) return null
      const from = isInCopy ? importer?.slice(0, -mark.length) : importer
      const found = await this.resolve(source, from, { ...options, skipSelf: true })
      return found && { ...found, id: `${found.id}${mark}`, moduleSideEffects: false }
    },
    load(id) {
      return id.endsWith(mark) ? readFile(id.slice(0, -mark.length), 'utf8') : null
    },
  }
}
