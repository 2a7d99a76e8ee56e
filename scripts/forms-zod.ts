import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const mark = '?forms'

/**
 * Gives the forms, which use the whole of zod, a copy of it to themselves. The parts that every screen uses (`zod/mini`)
 * have their core in common with it, and of a module the bundler keeps for everybody what anybody uses: screens
 * without a form would load 10 kB more.
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
