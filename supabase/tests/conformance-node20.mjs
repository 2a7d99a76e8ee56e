// The conformance scenarios import `globSync`, which Node has from version 22 on; a part of theirs that we do not run uses it.
import { register } from 'node:module'

const withGlob = `
  import fs from 'node:fs'
  export * from 'node:fs'
  export default fs
  export const globSync = () => []
`
const hooks = `
  export async function resolve(specifier, context, next) {
    const isTheirs = specifier === 'fs' && context.parentURL?.includes('/conformance/')
    if (!isTheirs) return next(specifier, context)
    return { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(withGlob)}), shortCircuit: true }
  }
`
if (Number(process.versions.node.split('.')[0]) < 22) {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}
