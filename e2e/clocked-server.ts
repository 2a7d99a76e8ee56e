import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export type ClockedServer = {
  address: string
  outbox: string
  /** From now on the server's clock shows the time of this machine plus so many minutes. */
  setClock: (minutes: number) => Promise<void>
  stop: () => Promise<void>
}

/** A confirming server of one test's own, whose clock can be set: for links that grow old. */
export async function startClockedServer(): Promise<ClockedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-crm-clock-'))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = fork('dist/server/main.js', {
    execArgv: ['--import', new URL('./moving-clock.mjs', import.meta.url).href],
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: address,
      DATA_DIR: folder,
      CONFIRM_EMAIL: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes('is ready at') && resolve())
    child.stderr?.on('data', (text) => reject(new Error(String(text))))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return {
    address,
    outbox: join(folder, 'outbox'),
    setClock(minutes) {
      return new Promise((resolve) => {
        child.once('message', () => resolve())
        child.send(minutes * 60_000)
      })
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
