import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The built product on a free port, with a database of its own that is gone when it stops. */
export async function startBuiltServer(): Promise<{ address: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'solo-crm-stage-'))
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    env: { ...process.env, PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (text) => {
      const [, told] = /is ready at (\S+)/.exec(String(text)) ?? []
      if (told) resolve(told)
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return {
    address,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
