// `npm start`: set up what is missing, then serve. The server runs in this very process, so that a
// signal reaches it and its exit code is ours.
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, requireNode, root, serverEntry } from './setup.mjs'

requireNode()
process.chdir(root)
await ensureInstalled()
await ensureBuilt()
await import(pathToFileURL(serverEntry).href)

// npm starts us through a shell, and a shell that is told to stop does not tell us: it is just gone.
if (process.env.npm_lifecycle_event === 'start') {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}
