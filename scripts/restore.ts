import { restore } from '#server/copies/commands.ts'
import { quietConsole } from '#server/log.ts'
import { stopWith } from '#server/stop-with.ts'

quietConsole()
try {
  const lines = await restore(process.env, process.argv.slice(2))
  process.stdout.write(`${lines.join('\n')}\n`)
} catch (error) {
  stopWith(error)
}
