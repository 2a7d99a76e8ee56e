import { backup } from '#server/copies/commands.ts'
import { quietConsole } from '#server/log.ts'
import { stopWith } from '#server/stop-with.ts'

// `npm run backup`: a copy that is interrupted takes away what it has written so far.
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
quietConsole()
try {
  const lines = await backup(process.env, process.argv.slice(2), stopping.signal)
  process.stdout.write(`${lines.join('\n')}\n`)
} catch (error) {
  if (stopping.signal.aborted) process.exit(130)
  stopWith(error)
}
