// `npm run mcp`: the tools for an assistant that starts a program. Standard output belongs to the protocol, so everything
// else goes to standard error.
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, mcpEntry, requireNode, root } from './setup.mjs'

console.log = console.error
requireNode()
process.chdir(root)
await ensureInstalled()
await ensureBuilt(['ignore', 2, 2])
const { serveTools } = await import(pathToFileURL(mcpEntry).href)
try {
  await serveTools(process.env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(2)
}
