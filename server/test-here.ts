import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openBackend } from './open-backend.ts'
import { type Running, start } from './start.ts'

/**
 * The whole server inside the process of the test, which has compiled the database already. A process of its own,
 * as `runBuilt` starts it, costs a second more, and is needed only where it is killed or its end is looked at.
 */
export async function runHere(dataDir: string): Promise<{ port: number; stop: Running['stop'] }> {
  const { address, stop } = await start({
    env: { PORT: '0', DATA_DIR: dataDir },
    clientDir: join(import.meta.dirname, '../dist/client'),
    openBackend,
  })
  try {
    onTestFinished(stop)
  } catch {
    // Started for a whole file: whoever started it stops it.
  }
  return { port: Number(new URL(address).port), stop }
}
