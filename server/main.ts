import { fileURLToPath } from 'node:url'
import { describeError, log, logProblem, quietConsole } from './log.ts'
import { openBackend } from './open-backend.ts'
import { start } from './start.ts'
import { stopWith } from './stop-with.ts'

// Seen from dist/server/main.js, where the build puts this file.
const clientDir = fileURLToPath(new URL(/* @vite-ignore */ '../client', import.meta.url))

async function main(): Promise<void> {
  quietConsole()
  // An unhandled rejection in a library must not end the process; an uncaught exception does, because it leaves an
  // unknown state.
  process.on('unhandledRejection', (error) => {
    logProblem(`Unhandled rejection: ${describeError(error)}`)
  })
  process.on('uncaughtException', (error) => {
    logProblem(`Uncaught exception: ${describeError(error)}`)
    process.exit(1)
  })

  const running = await start({ env: process.env, clientDir, openBackend })
  // `once`: a second signal ends the process at once, if the first one hangs.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log('Stopping: requests in flight finish first.')
      running.stop().then(() => process.exit(0), stopWith)
    })
  }
  log(`Solo CRM is ready at ${running.address}`)
}

main().catch(stopWith)
