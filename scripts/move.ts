import { quietConsole } from '#server/log.ts'
import { move } from '#server/moves/command.ts'
import { stopWith } from '#server/stop-with.ts'

// `npm run move`: what has arrived stays when it is cut off, and the same command goes on.
quietConsole()
try {
  const lines = await move(process.env, process.argv.slice(2))
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exit(0)
} catch (error) {
  stopWith(error)
}
