// `npm start`: set up what is missing, then serve. The server runs in this very process, so that a
// signal reaches it and its exit code is ours.
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import {
  endWithShell,
  ensureBuilt,
  ensureInstalled,
  requireNode,
  root,
  serverEntry,
} from './setup.mjs'

requireNode()
process.chdir(root)
endWithShell('start')
await ensureInstalled()
await ensureBuilt()
await import(pathToFileURL(serverEntry).href)
